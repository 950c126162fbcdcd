package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.PodGroup;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The account of each pod has to be there, or to be made with the job. */
final class ServiceAccountCheck {
    private ServiceAccountCheck() {}

    static void check(CheckContext sight) {
        Map<String, List<PodGroup>> named = sight.groups().stream()
                .collect(Collectors.groupingBy(ServiceAccountCheck::account, TreeMap::new, Collectors.toList()));
        named.forEach((name, groups) -> {
            if (!sight.makes(ServiceAccount.class, name)) {
                missing(sight, name, groups);
            }
        });
    }

    private static String account(PodGroup group) {
        String name = group.pod().getSpec().getServiceAccountName();
        return name == null || name.isEmpty() ? "default" : name;
    }

    private static void missing(CheckContext sight, String name, List<PodGroup> groups) {
        String where = FieldPaths.of(groups, "serviceAccount");
        boolean absent = sight.look(
                        Topic.SERVICE_ACCOUNT,
                        where,
                        "ServiceAccount \"" + name + "\"",
                        "get serviceaccounts",
                        () -> sight.client()
                                .serviceAccounts()
                                .inNamespace(sight.namespace())
                                .withName(name)
                                .get())
                .absent();
        if (absent) {
            sight.findings()
                    .error(
                            Topic.SERVICE_ACCOUNT,
                            where,
                            "ServiceAccount \"" + name + "\" is missing",
                            "the cluster refuses pods of an account that it does not know",
                            Fix.of(
                                    "create it, or leave serviceAccount(\"" + name + "\") out",
                                    "kubectl create serviceaccount " + name + " --namespace " + sight.namespace()));
            groups.forEach(group -> sight.findings().refused(group.where()));
        }
    }
}
