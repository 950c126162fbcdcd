package dev.edl.testkit.k8s;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Permissions that Roles grant, as a verb and a resource in the form of {@code kubectl auth can-i}:
 * {@code create jobs.batch}.
 */
final class RoleGrants {
    private RoleGrants() {}

    static List<String> of(List<HasMetadata> objects) {
        TreeSet<String> grants = new TreeSet<>();
        for (HasMetadata object : objects) {
            List<PolicyRule> rules = List.of();
            if (object instanceof Role role) {
                rules = role.getRules();
            } else if (object instanceof ClusterRole role) {
                rules = role.getRules();
            }
            rules.forEach(rule -> grants.addAll(words(rule)));
        }
        return List.copyOf(grants);
    }

    private static List<String> words(PolicyRule rule) {
        List<String> words = new ArrayList<>();
        for (String verb : rule.getVerbs()) {
            rule.getNonResourceURLs().forEach(url -> words.add(verb + " " + url));
            for (String resource : rule.getResources()) {
                rule.getApiGroups()
                        .forEach(group -> words.add(verb + " " + resource + (group.isEmpty() ? "" : "." + group)));
            }
        }
        return words;
    }
}
