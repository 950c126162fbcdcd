package dev.edl.operators.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a {@link ControllerManifest}. Pure.
 *
 * @param namespace namespace in which the controller runs
 * @param all whether the controller watches all namespaces instead of its own
 * @param kinds kinds that it drives, each a word of {@link JobKinds#WORDS}
 * @param config configuration in the format of the TfJob operator; empty for none
 * @param extra further arguments of {@link ControllerMain}
 */
record ControllerManifestOptions(
        String image,
        String namespace,
        boolean all,
        Set<String> kinds,
        Optional<String> config,
        List<String> extra,
        String memory,
        Optional<String> priorityClass) {
    static ControllerManifestOptions of(String image) {
        return new ControllerManifestOptions(
                image, "", false, JobKinds.WORDS, Optional.empty(), List.of(), "1Gi", Optional.empty());
    }

    ControllerManifestOptions in(String other) {
        return new ControllerManifestOptions(image, other, all, kinds, config, extra, memory, priorityClass);
    }

    ControllerManifestOptions everywhere() {
        return new ControllerManifestOptions(image, namespace, true, kinds, config, extra, memory, priorityClass);
    }

    ControllerManifestOptions kinds(Set<String> words) {
        return new ControllerManifestOptions(image, namespace, all, words, config, extra, memory, priorityClass);
    }

    ControllerManifestOptions config(String yaml) {
        return new ControllerManifestOptions(
                image, namespace, all, kinds, Optional.of(yaml), extra, memory, priorityClass);
    }

    ControllerManifestOptions memory(String quantity) {
        return new ControllerManifestOptions(image, namespace, all, kinds, config, extra, quantity, priorityClass);
    }

    ControllerManifestOptions priorityClass(String name) {
        return new ControllerManifestOptions(image, namespace, all, kinds, config, extra, memory, Optional.of(name));
    }

    /**
     * Returns a copy with one more option of {@link ControllerMain}. Replaces an earlier value of the same option.
     *
     * @param words the option, followed by its value if it takes one
     */
    ControllerManifestOptions argument(String... words) {
        List<String> more = new ArrayList<>(extra);
        int before = more.indexOf(words[0]);
        if (before >= 0) {
            more.subList(before, before + words.length).clear();
        }
        more.addAll(List.of(words));
        return new ControllerManifestOptions(
                image, namespace, all, kinds, config, List.copyOf(more), memory, priorityClass);
    }

    /** Returns the arguments of {@link ControllerMain}. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (all) {
            arguments.add("--all-namespaces");
        }
        if (!kinds.equals(JobKinds.WORDS)) {
            arguments.addAll(List.of("--kinds", String.join(",", kinds)));
        }
        if (config.isPresent()) {
            arguments.addAll(List.of("--config", ControllerDeployment.FOLDER + "/" + ControllerManifest.CONFIG));
        }
        arguments.addAll(extra);
        arguments.addAll(List.of("--health-probe-bind-address", "0.0.0.0:" + ControllerDeployment.PROBES));
        return arguments;
    }
}
