package dev.edl.operators.controller;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** RBAC rules for a controller's account, which permit only the requests that a controller sends. Pure. */
final class ControllerPermissions {
    private ControllerPermissions() {}

    /** Returns the rules that the controller needs in the namespaces that it watches. */
    static List<PolicyRule> objects(List<ManagedKind> kinds) {
        List<PolicyRule> rules = new ArrayList<>();
        kinds.forEach(kind -> rules.addAll(of(kind)));
        // The job's record.
        rules.add(rule("", "configmaps", "get", "create", "update", "delete"));
        rules.add(rule("", "pods", "get", "list", "watch", "create", "delete"));
        // Warnings for kubectl describe.
        rules.add(rule("", "events", "create", "patch"));
        rules.add(rule("", "services", "create"));
        // TensorBoard.
        rules.add(rule("apps", "deployments", "create"));
        kinds.forEach(kind -> rules.addAll(kind.rules()));
        return merged(rules);
    }

    private static List<PolicyRule> of(ManagedKind kind) {
        PolicyRule seen = of(kind, "get", "list", "watch");
        String group = seen.getApiGroups().get(0);
        String plural = seen.getResources().get(0);
        return List.of(seen, rule(group, WatchedKind.of(kind).statusApart() ? plural + "/status" : plural, "update"));
    }

    /** Returns a rule with these verbs for a kind's own objects. */
    static PolicyRule of(ManagedKind kind, String... verbs) {
        CustomResourceDefinition definition = kind.definition();
        return rule(
                definition.getSpec().getGroup(), definition.getSpec().getNames().getPlural(), verbs);
    }

    /** Merges rules that differ only in their verbs, so that each resource has one rule. */
    private static List<PolicyRule> merged(List<PolicyRule> rules) {
        Map<PolicyRule, Set<String>> verbs = new LinkedHashMap<>();
        rules.forEach(rule -> verbs.computeIfAbsent(
                        new PolicyRuleBuilder(rule).withVerbs(List.of()).build(), of -> new LinkedHashSet<>())
                .addAll(rule.getVerbs()));
        List<PolicyRule> merged = new ArrayList<>();
        verbs.forEach((rule, all) -> merged.add(
                new PolicyRuleBuilder(rule).withVerbs(new ArrayList<>(all)).build()));
        return merged;
    }

    /** Returns the cluster-wide rules to watch for nodes that are about to be taken away; nodes have no namespace. */
    static List<PolicyRule> nodes() {
        return List.of(rule("", "nodes", "list", "watch"));
    }

    /** Returns the rules that the controller needs in the namespace of the lease. */
    static List<PolicyRule> lease() {
        return List.of(rule("coordination.k8s.io", "leases", "get", "create", "patch"));
    }

    static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }
}
