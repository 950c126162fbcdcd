package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.OptionSyntax;
import dev.edl.spec.Resources;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Devices that each pod gets for itself: a count of an extended resource, and the labels of the nodes that have it.
 *
 * <pre>{@code
 * PodOptions.builder().role("worker", w -> w.accelerator(Accelerator.nvidiaMig("1g.5gb", 2))).build();
 * Accelerator.tpu("tpu-v5-lite-podslice", "2x4", 8);
 * Accelerator.nvidia(1).onNodes("nvidia.com/gpu.product", "Tesla-T4");
 * }</pre>
 *
 * @param resource extended resource of the vendor's device plugin, such as {@code nvidia.com/gpu}
 * @param count number of devices of each pod, at least 1
 * @param nodes labels that a node must have, sorted
 */
public record Accelerator(String resource, int count, Map<String, String> nodes) {
    /** Validates the values and copies the labels. */
    public Accelerator {
        OptionSyntax.key("an accelerator", resource, "nvidia.com/gpu");
        if (!resource.contains("/")) {
            throw new IllegalArgumentException("an accelerator must have the form domain/name, was \"" + resource
                    + "\"; for example nvidia.com/gpu");
        }
        if (count < 1) {
            throw new IllegalArgumentException(
                    "the count of " + resource + " must be at least 1, was " + count + "; leave it out for none");
        }
        nodes = Collections.unmodifiableMap(new TreeMap<>(nodes));
        nodes.forEach((key, value) -> {
            OptionSyntax.key("a node label", key, "nvidia.com/gpu.product");
            OptionSyntax.labelValue("the value of the node label " + key, value, "Tesla-T4");
        });
    }

    /**
     * Returns devices of any vendor.
     *
     * @param resource {@code domain/name}
     * @param count at least 1
     */
    public static Accelerator of(String resource, int count) {
        return new Accelerator(resource, count, Map.of());
    }

    /**
     * Returns whole NVIDIA GPUs.
     *
     * @param count at least 1
     */
    public static Accelerator nvidia(int count) {
        return of("nvidia.com/gpu", count);
    }

    /**
     * Returns MIG slices of NVIDIA GPUs, under the plugin's mixed strategy.
     *
     * @param slice the profile as NVIDIA names it, {@code 1g.5gb} or {@code 1g.5gb+me}
     * @param count at least 1
     * @see <a href="https://docs.nvidia.com/datacenter/cloud-native/kubernetes/latest/index.html">NVIDIA: MIG support
     *     in Kubernetes</a>
     */
    public static Accelerator nvidiaMig(String slice, int count) {
        if (!slice.matches("[1-9][0-9]*g\\.[1-9][0-9]*gb(\\+me)?")) {
            throw new IllegalArgumentException(
                    "a MIG slice must have the form <compute>g.<memory>gb, was \"" + slice + "\"; for example 1g.5gb");
        }
        return of("nvidia.com/mig-" + slice.replace('+', '.'), count);
    }

    /**
     * Returns AMD GPUs.
     *
     * @param count at least 1
     */
    public static Accelerator amd(int count) {
        return of("amd.com/gpu", count);
    }

    /**
     * Returns Google TPUs as GKE offers them.
     *
     * @param type accelerator type of the nodes, such as {@code tpu-v5-lite-podslice}
     * @param topology topology of the slice, such as {@code 2x4} or {@code 2x2x1}
     * @param chips number of chips of each pod, at least 1
     * @see <a href="https://cloud.google.com/kubernetes-engine/docs/how-to/tpus">Google: TPUs in GKE</a>
     */
    public static Accelerator tpu(String type, String topology, int chips) {
        if (!topology.matches("[1-9][0-9]*(x[1-9][0-9]*){1,2}")) {
            throw new IllegalArgumentException("a TPU topology must have the form <x>x<y> or <x>x<y>x<z>, was \""
                    + topology + "\"; for example 2x4");
        }
        return of("google.com/tpu", chips)
                .onNodes("cloud.google.com/gke-tpu-accelerator", type)
                .onNodes("cloud.google.com/gke-tpu-topology", topology);
    }

    /** Returns a copy that also requires a node label. */
    public Accelerator onNodes(String key, String value) {
        Map<String, String> more = new TreeMap<>(nodes);
        more.put(key, value);
        return new Accelerator(resource, count, more);
    }

    /**
     * Returns this number of devices as a job's resource request, without the node labels. For example
     * {@code .request(Accelerator.amd(2).resources())}.
     *
     * @throws IllegalArgumentException for a resource of Kubernetes' own domain, which a job cannot request
     */
    public Resources resources() {
        return Resources.of().gpu(resource, count);
    }

    /**
     * Returns, for example, {@code nvidia.com/gpu=1} or
     * {@code google.com/tpu=4 on cloud.google.com/gke-tpu-topology=2x4}.
     */
    @Override
    public String toString() {
        String on = String.join(
                ",",
                nodes.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .toList());
        return resource + "=" + count + (on.isEmpty() ? "" : " on " + on);
    }
}
