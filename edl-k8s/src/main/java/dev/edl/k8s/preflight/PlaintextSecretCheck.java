package dev.edl.k8s.preflight;

import dev.edl.plan.RolePlan;
import dev.edl.spec.SensitiveEnv;

/**
 * Warns about environment variables whose names suggest a secret: their values are in plain text in the job's ConfigMap
 * and in each pod.
 */
final class PlaintextSecretCheck {
    private PlaintextSecretCheck() {}

    static void check(CheckContext context) {
        for (RolePlan role : context.plan().roles()) {
            role.template().env().forEach((name, value) -> {
                if (SensitiveEnv.isSensitive(name, value)) {
                    context.findings()
                            .warning(
                                    ProblemTopic.SECRET,
                                    role.type() + ".env." + name,
                                    "the value is in plain text in the job's ConfigMap and in each pod",
                                    "the name suggests a secret, and every account that may read ConfigMaps can read it",
                                    ProblemFix.of(
                                            "store it in a Secret, and refer to it with secretEnv(\"" + name
                                                    + "\", \"my-secret\", \"" + name + "\")",
                                            "kubectl create secret generic my-secret --from-literal=" + name
                                                    + "=... --namespace " + context.namespace()));
                }
            });
        }
    }
}
