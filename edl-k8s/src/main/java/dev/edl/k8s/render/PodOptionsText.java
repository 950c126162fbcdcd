package dev.edl.k8s.render;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Formats options on one line: their names and, for lists, the number of elements. It omits the values, which may be
 * long or secret.
 */
final class PodOptionsText {
    private final List<String> said = new ArrayList<>();

    private PodOptionsText() {}

    static String of(PodOptions options) {
        List<String> scopes = new ArrayList<>();
        PodOptionsText all = new PodOptionsText();
        all.add(options.all());
        all.add("queue", options.queue());
        all.add("gang", options.gang());
        all.add("priorityClass", options.priorityClasses().keySet());
        all.add("tensorBoard", options.tensorBoard());
        all.add("acceleratorConfig", !options.acceleratorConfig().equals(AcceleratorConfig.none()));
        all.add("tfImage", options.tfImage());
        all.add("sshKeys", options.sshKeys().isPresent());
        all.add("kubexec", options.kubexec());
        all.add("owner", options.owner().isPresent());
        if (!all.said.isEmpty()) {
            scopes.add(String.join(", ", all.said));
        }
        options.roles().forEach((type, settings) -> {
            PodOptionsText role = new PodOptionsText();
            role.add(settings);
            if (!role.said.isEmpty()) {
                scopes.add(type + ": " + String.join(", ", role.said));
            }
        });
        return "PodOptions " + (scopes.isEmpty() ? "of nothing" : String.join("; ", scopes));
    }

    private void add(PodSettings settings) {
        add("serviceAccount", settings.serviceAccount());
        add("apiAccess", settings.apiRules());
        add("imagePullSecret", settings.pullSecrets());
        add("imagePullPolicy", settings.pullPolicy());
        add("toleration", settings.tolerations());
        add("nodeSelector", settings.nodeSelector());
        add("affinity", settings.affinity().isPresent());
        add("hostNetwork", settings.hostNetwork().orElse(false));
        add("scheduler", settings.scheduler());
        add("sidecar", settings.sidecars());
        add("initContainer", settings.initContainers());
        add("secretEnv", settings.env().size() + settings.envFrom().size());
        add("volume", settings.volumes());
        settings.runAsUser().ifPresent(user -> said.add("runAsUser " + user));
        settings.fsGroup().ifPresent(group -> said.add("fsGroup " + group));
        add("security", settings.security());
        add("accelerator", settings.accelerators());
        add("resourceClaim", settings.claimTemplates());
        add("label", settings.labels());
        add("annotation", settings.annotations());
        add("pod", settings.tweaks());
    }

    private void add(String name, Optional<?> value) {
        value.ifPresent(given -> said.add(name + " " + given));
    }

    private void add(String name, boolean isSaid) {
        if (isSaid) {
            said.add(name);
        }
    }

    private void add(String name, Collection<?> values) {
        add(name, values.size());
    }

    private void add(String name, Map<?, ?> values) {
        add(name, values.size());
    }

    private void add(String name, int count) {
        if (count > 0) {
            said.add(count == 1 ? name : name + " x " + count);
        }
    }
}
