package dev.edl.operators.crd.kubeflow;

import dev.edl.Framework;
import dev.edl.RoleType;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import java.util.Map;

/**
 * Differences between Kubeflow's kinds.
 *
 * @param name {@code TFJob}
 * @param apiVersion {@code kubeflow.org/v1}
 * @param replicaSpecs the key of the roles in the spec
 * @param framework of its jobs
 * @param roles the roles' keys, {@code PS} for ps
 * @param restarts the restart policy of a role without one
 * @param exitCode whether a restart policy can be {@code ExitCode}
 * @param always whether a restart policy can be {@code Always}
 * @param port the port of a role without one; 0 for no port
 * @param pod conventions of the pod templates
 * @param env the variables that the operator sets
 */
record KubeflowKind(
        String name,
        String apiVersion,
        String replicaSpecs,
        Framework framework,
        Map<RoleType, String> roles,
        Map<RoleType, String> restarts,
        boolean exitCode,
        boolean always,
        int port,
        PodTemplateConventions pod,
        OperatorEnv env) {
    String key(RoleType type) {
        return roles.getOrDefault(type, "");
    }

    KubeflowKind with(PodTemplateConventions other) {
        return new KubeflowKind(
                name, apiVersion, replicaSpecs, framework, roles, restarts, exitCode, always, port, other, env);
    }

    /** Returns the conventions of a role's pod templates in a resource of this spec. */
    PodTemplateConventions pod(Map<?, ?> spec, RoleType type) {
        return pod.setting(env.sets(spec, type));
    }
}
