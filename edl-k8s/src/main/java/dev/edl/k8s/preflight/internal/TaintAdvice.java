package dev.edl.k8s.preflight.internal;

import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.render.EffectivePodResources;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Advice on how a job can run despite a node's taint. No advice removes the taint, because it protects the node.
 *
 * @param text advice: a change of the job, a wait, or another node
 * @param temporary whether the taint goes away by itself
 * @param byJob whether a change of the job is enough
 */
record TaintAdvice(String text, boolean temporary, boolean byJob) {
    /** Prefixes of taints that Kubernetes and cloud providers remove once a node has recovered. */
    private static final List<String> CONDITIONS = List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

    /** Prefixes of taints of a node that has not started yet. */
    private static final List<String> STARTING = List.of(
            "startup-taint.cluster-autoscaler.kubernetes.io/",
            "status-taint.cluster-autoscaler.kubernetes.io/",
            "ignore-taint.cluster-autoscaler.kubernetes.io/",
            "karpenter.sh/unregistered",
            "node.cilium.io/agent-not-ready");

    /** Taints of nodes that run the cluster's own components. */
    private static final Set<String> CLUSTER = Set.of(
            "node-role.kubernetes.io/control-plane",
            "node-role.kubernetes.io/master",
            "node-role.kubernetes.io/controlplane",
            "node-role.kubernetes.io/etcd",
            "CriticalAddonsOnly");

    /** Taints of nodes without a machine of their own, which run pods at a provider. */
    private static final Set<String> VIRTUAL = Set.of("virtual-kubelet.io/provider", "eks.amazonaws.com/compute-type");

    /** Taint of GKE Sandbox nodes; its value is the name of their RuntimeClass. */
    private static final String SANDBOX = "sandbox.gke.io/runtime";

    static TaintAdvice of(Taint taint, Pod pod, Node node) {
        String key = taint.getKey();
        if (CONDITIONS.stream().anyMatch(key::startsWith)) {
            return new TaintAdvice("wait until the node has recovered", true, false);
        }
        if (STARTING.stream().anyMatch(key::startsWith)) {
            return new TaintAdvice("wait until the node has started", true, false);
        }
        if (NodeNotices.STANDARD_TAINTS.contains(key)) {
            return other("is about to go");
        }
        if (CLUSTER.contains(key)) {
            return other("is reserved for the cluster's own components");
        }
        if (VIRTUAL.contains(key)) {
            return other("is virtual, and only its administrator can allow the job on it");
        }
        if (key.equals(SANDBOX)) {
            return new TaintAdvice(
                    "set the pods' runtimeClassName to \"" + runtime(taint.getValue())
                            + "\", which tolerates the taint",
                    false,
                    true);
        }
        if (isUnusedDevice(key, pod, node)) {
            return other("is for pods that request " + key);
        }
        return new TaintAdvice(
                "set PodOptions.builder().toleration(" + arguments(taint)
                        + ") if the node's administrator allows the job there",
                false,
                true);
    }

    /** Returns the arguments of the toleration that tolerates no more than this taint. */
    private static String arguments(Taint taint) {
        String value = taint.getValue();
        return value == null || value.isEmpty()
                ? "\"" + taint.getKey() + "\", \"" + taint.getEffect() + "\""
                : "new TolerationBuilder().withKey(\"" + taint.getKey() + "\").withValue(\"" + value
                        + "\").withEffect(\"" + taint.getEffect() + "\").build()";
    }

    private static TaintAdvice other(String why) {
        return new TaintAdvice("use or add another node, because this one " + why, false, false);
    }

    /** Returns whether the taint's key is a device of the node that the pod does not request. */
    private static boolean isUnusedDevice(String key, Pod pod, Node node) {
        return node.getStatus() != null
                && node.getStatus().getAllocatable() != null
                && node.getStatus().getAllocatable().containsKey(key)
                && !EffectivePodResources.requests(pod.getSpec()).containsKey(key);
    }

    private static String runtime(@Nullable String value) {
        return value == null || value.isEmpty() ? "gvisor" : value;
    }
}
