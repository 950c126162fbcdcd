package dev.edl.k8s.preflight;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.client.SelfAccessReview;
import dev.edl.k8s.preflight.internal.ExecutorPermissions;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that the client has each verb that the executor uses, by access reviews of the API server. */
final class PermissionCheck {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final CheckContext context;
    private @Nullable String user;

    private PermissionCheck(CheckContext context) {
        this.context = context;
    }

    static void check(CheckContext context) {
        PermissionCheck check = new PermissionCheck(context);
        if (context.delegated().isPresent()) {
            context.more().forEach(rule -> check.ask(rule, context.namespace()));
            return;
        }
        ExecutorPermissions permissions = context.rights();
        permissions.namespaced().forEach(rule -> check.ask(rule, context.namespace()));
        permissions.ofCluster().forEach(rule -> check.ask(rule, null));
        context.more().forEach(rule -> check.ask(rule, null));
        if (!permissions.granted().isEmpty() && !check.mayGrantAnything()) {
            permissions.granted().forEach(rule -> check.ask(rule, context.namespace()));
        }
    }

    private boolean mayGrantAnything() {
        return isAllowed(RBAC, "roles", null, "escalate", context.namespace())
                && isAllowed(RBAC, "roles", null, "bind", context.namespace());
    }

    /** @param namespace namespace of the rule's objects; null for cluster-scoped objects */
    private void ask(PolicyRule rule, @Nullable String namespace) {
        for (String group : rule.getApiGroups()) {
            for (String resource : rule.getResources()) {
                List<String> names = new ArrayList<>(rule.getResourceNames());
                List<String> missing = rule.getVerbs().stream()
                        .filter(verb -> names.isEmpty()
                                ? !isAllowed(group, resource, null, verb, namespace)
                                : names.stream().anyMatch(name -> !isAllowed(group, resource, name, verb, namespace)))
                        .toList();
                if (!missing.isEmpty()) {
                    missing(group, resource, names, missing, namespace);
                }
            }
        }
    }

    private boolean isAllowed(
            String group, String resource, @Nullable String name, String verb, @Nullable String namespace) {
        return context.lookUp(
                        ProblemTopic.PERMISSION,
                        "job",
                        "permissions",
                        "create selfsubjectaccessreviews",
                        () -> SelfAccessReview.allow(context.client(), group, resource, name, verb, namespace))
                .value()
                // If the review itself is forbidden, the permission counts as granted.
                .orElse(true);
    }

    private void missing(
            String group, String resource, List<String> names, List<String> verbs, @Nullable String namespace) {
        String full = resource + (group.isEmpty() ? "" : "." + group);
        String what = String.join(", ", verbs) + " " + full + (names.isEmpty() ? "" : " " + String.join(", ", names))
                + (namespace == null ? "" : " in namespace \"" + namespace + "\"");
        context.findings()
                .error(
                        ProblemTopic.PERMISSION,
                        "job",
                        user() + " may not " + what,
                        "the executor needs this request, and the API server refuses it",
                        ProblemFix.of(
                                "have an administrator grant it, or all of SubmitterRole.of(plan, options)",
                                command(group, resource, names, verbs, namespace)));
        if (verbs.contains("create")) {
            context.findings().refused("create " + resource);
        }
    }

    private String command(
            String group, String resource, List<String> names, List<String> verbs, @Nullable String namespace) {
        return new MissingPermission(user(), verbs.get(0), group, resource, names, Optional.ofNullable(namespace))
                .command("edl-" + context.plan().name() + "-" + resource.replace('/', '-') + "-" + verbs.get(0), verbs);
    }

    /** Returns the client's user name as the API server reports it. */
    private String user() {
        String known = user;
        if (known == null) {
            known = context.lookUp(
                            ProblemTopic.PERMISSION,
                            "job",
                            "the client's name",
                            "create selfsubjectreviews",
                            () -> SelfAccessReview.user(context.client()))
                    .value()
                    .orElse("USER");
            user = known;
        }
        return known;
    }
}
