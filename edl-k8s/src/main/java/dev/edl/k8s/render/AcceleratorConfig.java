package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.OptionSyntax;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Immutable set of host paths and environment variables that the TfJob operator adds to pods with a device. The host
 * paths contain the drivers of the devices.
 *
 * <pre>{@code
 * AcceleratorConfig.none()
 *     .volume("alpha.kubernetes.io/nvidia-gpu", "nvidia-libraries", "/usr/lib/nvidia", "/usr/local/nvidia/lib64")
 *     .env("alpha.kubernetes.io/nvidia-gpu", "LD_LIBRARY_PATH", "/usr/local/nvidia/lib64");
 * }</pre>
 *
 * <p>They are added once to a pod's main container if its requests or its limits have the device. Several devices apply
 * in order of their names; the operator's order was random. An existing volume or variable is not added again; the
 * operator added it twice after a restart.
 */
public final class AcceleratorConfig {
    private static final AcceleratorConfig NONE = new AcceleratorConfig(Map.of());

    private final Map<String, Entry> entries;

    /** Host volumes and environment variables of a container that requests one kind of device. */
    record Entry(List<HostVolume> volumes, List<Variable> env) {
        Entry {
            volumes = List.copyOf(volumes);
            env = List.copyOf(env);
        }
    }

    record HostVolume(String name, String hostPath, String mountPath) {}

    record Variable(String name, String value) {}

    private AcceleratorConfig(Map<String, Entry> entries) {
        this.entries = Collections.unmodifiableMap(new TreeMap<>(entries));
    }

    /** Returns a configuration that adds nothing. */
    public static AcceleratorConfig none() {
        return NONE;
    }

    /**
     * Adds a host path for pods with a device.
     *
     * @param resource the device, {@code nvidia.com/gpu}
     * @param name name of the volume, a DNS label
     * @param hostPath absolute path on the node
     * @param mountPath absolute path in the container
     * @throws IllegalArgumentException for another form
     */
    public AcceleratorConfig volume(String resource, String name, String hostPath, String mountPath) {
        OptionSyntax.label("a volume's name", name, "nvidia-libraries");
        Entry before = entry(resource);
        List<HostVolume> volumes = new ArrayList<>(before.volumes());
        volumes.add(new HostVolume(
                name,
                OptionSyntax.path("a host path", hostPath, "/usr/lib/nvidia"),
                OptionSyntax.path("a mount path", mountPath, "/usr/local/nvidia")));
        return with(resource, new Entry(volumes, before.env()));
    }

    /**
     * Adds an environment variable for pods with a device.
     *
     * @param resource the device, {@code nvidia.com/gpu}
     * @throws IllegalArgumentException for another form
     */
    public AcceleratorConfig env(String resource, String name, String value) {
        OptionSyntax.variable(name, "LD_LIBRARY_PATH");
        Entry before = entry(resource);
        List<Variable> env = new ArrayList<>(before.env());
        env.add(new Variable(name, value));
        return with(resource, new Entry(before.volumes(), env));
    }

    private Entry entry(String resource) {
        OptionSyntax.key("an accelerator", resource, "nvidia.com/gpu");
        return entries.getOrDefault(resource, new Entry(List.of(), List.of()));
    }

    private AcceleratorConfig with(String resource, Entry entry) {
        Map<String, Entry> more = new TreeMap<>(entries);
        more.put(resource, entry);
        return new AcceleratorConfig(more);
    }

    Map<String, Entry> entries() {
        return entries;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AcceleratorConfig that && entries.equals(that.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    /**
     * Returns one line per device:
     * {@code nvidia.com/gpu: /usr/local/nvidia <- host /usr/lib/nvidia, LD_LIBRARY_PATH=/x}.
     */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        entries.forEach((resource, entry) -> {
            List<String> parts = new ArrayList<>();
            entry.volumes().forEach(v -> parts.add(v.mountPath() + " <- host " + v.hostPath()));
            entry.env().forEach(e -> parts.add(e.name() + "=" + e.value()));
            lines.add(resource + ": " + String.join(", ", parts));
        });
        return String.join("\n", lines);
    }
}
