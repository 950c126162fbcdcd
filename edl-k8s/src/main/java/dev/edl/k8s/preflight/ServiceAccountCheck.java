package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks that the service account of each pod exists or is created with the job. */
final class ServiceAccountCheck {
    private ServiceAccountCheck() {}

    static void check(CheckContext context) {
        Map<String, List<PodSet>> named = context.groups().stream()
                .collect(Collectors.groupingBy(ServiceAccountCheck::account, TreeMap::new, Collectors.toList()));
        named.forEach((name, podSets) -> {
            if (!context.makes(ServiceAccount.class, name)) {
                missing(context, name, podSets);
            }
        });
    }

    private static String account(PodSet podSet) {
        String name = podSet.pod().getSpec().getServiceAccountName();
        return name == null || name.isEmpty() ? "default" : name;
    }

    private static void missing(CheckContext context, String name, List<PodSet> podSets) {
        String where = FieldPaths.of(podSets, "serviceAccount");
        boolean absent = context.lookUp(
                        ProblemTopic.SERVICE_ACCOUNT,
                        where,
                        "ServiceAccount \"" + name + "\"",
                        "get serviceaccounts",
                        () -> context.client()
                                .serviceAccounts()
                                .inNamespace(context.namespace())
                                .withName(name)
                                .get())
                .absent();
        if (absent) {
            context.findings()
                    .error(
                            ProblemTopic.SERVICE_ACCOUNT,
                            where,
                            "ServiceAccount \"" + name + "\" is missing",
                            "the API server refuses pods of an unknown ServiceAccount",
                            ProblemFix.of(
                                    "create it, or remove serviceAccount(\"" + name + "\")",
                                    "kubectl create serviceaccount " + name + " --namespace " + context.namespace()));
            podSets.forEach(podSet -> context.findings().refused(podSet.where()));
        }
    }
}
