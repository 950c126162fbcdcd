package dev.edl.operators.crd.kubeflow;

import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import java.util.Map;

/**
 * Properties in which one of Kubeflow's kinds differs from the others.
 *
 * @param name name of the kind, such as {@code TFJob}
 * @param apiVersion API group and version, such as {@code kubeflow.org/v1}
 * @param replicaSpecs key of the spec under which a resource has its roles
 * @param framework framework of the kind's jobs
 * @param roles key of each role in a resource, such as {@code PS} for ps
 * @param restarts default restart policy of a role
 * @param exitCode whether a restart policy can be {@code ExitCode}
 * @param always whether a restart policy can be {@code Always}
 * @param port default port of a role; 0 for no port
 * @param pod requirements of the operator on pod templates
 * @param env table of the environment variables that the operator sets
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

    /**
     * Returns the operator's requirements on a role's pod template, with the variables that it sets for a resource with
     * this spec.
     */
    PodTemplateConventions pod(Map<?, ?> spec, RoleType type) {
        return pod.setting(env.sets(spec, type));
    }
}
