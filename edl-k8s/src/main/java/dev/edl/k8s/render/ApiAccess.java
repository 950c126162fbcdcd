package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Service account of a role's pods and its permissions on the Kubernetes API. It has only the permissions of the
 * options and of the profile's launcher. If neither has any, there is no account, no Role and no token, because nothing
 * else in a pod calls the API.
 *
 * @param name name of the account, the Role and the binding
 * @param own whether the account is created with the job
 * @param rules permissions that the Role grants
 */
record ApiAccess(String name, boolean own, List<PolicyRule> rules) {

    /** Returns the account of a role's pods; empty when they need none. */
    static Optional<ApiAccess> of(ProfileRenderer renderer, PodOptions options, RoleType role) {
        PodSettings settings = options.of(role);
        List<PolicyRule> rules = Stream.concat(renderer.rules(role).stream(), settings.apiRules().stream())
                .distinct()
                .toList();
        boolean own = settings.serviceAccount().isEmpty();
        if (own && rules.isEmpty()) {
            return Optional.empty();
        }
        boolean roleHasRules =
                !renderer.rules(role).isEmpty() || !options.own(role).apiRules().isEmpty();
        String made = renderer.namePrefix() + (roleHasRules ? "-" + role.id() : "");
        return Optional.of(new ApiAccess(settings.serviceAccount().orElse(made), own, rules));
    }

    /** Returns the accounts, Roles and bindings of a job. */
    static List<HasMetadata> objects(JobPlan plan, ProfileRenderer renderer, PodOptions options) {
        Map<String, ApiAccess> all = new TreeMap<>();
        plan.roles()
                .forEach(role -> of(renderer, options, role.type())
                        .ifPresent(access -> all.merge(access.name(), access, ApiAccess::and)));
        List<HasMetadata> objects = new ArrayList<>();
        all.values().stream().filter(ApiAccess::own).forEach(access -> objects.add(access.account(plan)));
        all.values().stream().filter(ApiAccess::asks).forEach(access -> objects.add(access.role(plan)));
        all.values().stream().filter(ApiAccess::asks).forEach(access -> objects.add(access.binding(plan)));
        return objects;
    }

    /** Merges the permissions of two roles whose pods share an account. */
    private static ApiAccess and(ApiAccess first, ApiAccess second) {
        List<PolicyRule> rules = new ArrayList<>(first.rules());
        second.rules().stream().filter(rule -> !rules.contains(rule)).forEach(rules::add);
        return new ApiAccess(first.name(), first.own(), rules);
    }

    private boolean asks() {
        return !rules.isEmpty();
    }

    private HasMetadata account(JobPlan plan) {
        return new ServiceAccountBuilder().withMetadata(metadata(plan)).build();
    }

    private HasMetadata role(JobPlan plan) {
        return new RoleBuilder().withMetadata(metadata(plan)).withRules(rules).build();
    }

    private HasMetadata binding(JobPlan plan) {
        return new RoleBindingBuilder()
                .withMetadata(metadata(plan))
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                .addNewSubject()
                .withKind("ServiceAccount")
                .withName(name)
                .withNamespace(plan.namespace())
                .endSubject()
                .build();
    }

    private ObjectMeta metadata(JobPlan plan) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withAnnotations(plan.annotations())
                .build();
    }
}
