package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.FieldPaths;
import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodSet;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks image pull Secrets. A node pulls without a missing Secret, which succeeds for public images only. */
final class PullSecretCheck {
    private static final Set<String> TYPES = Set.of("kubernetes.io/dockerconfigjson", "kubernetes.io/dockercfg");

    private PullSecretCheck() {}

    static void check(CheckContext context) {
        Map<String, List<PodSet>> named = new TreeMap<>();
        for (PodSet podSet : context.groups()) {
            for (LocalObjectReference reference : podSet.pod().getSpec().getImagePullSecrets()) {
                named.computeIfAbsent(reference.getName(), name -> new ArrayList<>())
                        .add(podSet);
            }
        }
        named.forEach((name, podSets) -> check(context, name, FieldPaths.of(podSets, "imagePullSecret")));
    }

    private static void check(CheckContext context, String name, String where) {
        String what = "Secret \"" + name + "\"";
        LookupResult<Secret> seen = context.lookUp(
                ProblemTopic.IMAGE_PULL_SECRET,
                where,
                what,
                "get secrets",
                () -> context.client()
                        .secrets()
                        .inNamespace(context.namespace())
                        .withName(name)
                        .get());
        if (seen.absent()) {
            context.findings()
                    .warning(
                            ProblemTopic.IMAGE_PULL_SECRET,
                            where,
                            what + " is missing",
                            "nodes then pull without credentials, and a private registry refuses",
                            ProblemFix.of(
                                    "create it, or remove imagePullSecret(\"" + name + "\")", create(name, context)));
        }
        seen.ifPresent(secret -> {
            if (!TYPES.contains(secret.getType())) {
                context.findings()
                        .warning(
                                ProblemTopic.IMAGE_PULL_SECRET,
                                where,
                                what + " is of type " + secret.getType(),
                                "nodes pull with Secrets of type kubernetes.io/dockerconfigjson only",
                                ProblemFix.of(
                                        "create one of that type, and use it: imagePullSecret(\"" + name + "-pull\")",
                                        create(name + "-pull", context)));
            }
        });
    }

    private static String create(String name, CheckContext context) {
        return "kubectl create secret docker-registry " + name + " --namespace " + context.namespace()
                + " --docker-server=REGISTRY --docker-username=USER --docker-password=PASSWORD";
    }
}
