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
record ManifestOptions(
        String image,
        String namespace,
        boolean all,
        Set<String> kinds,
        Optional<String> config,
        List<String> extra,
        String memory,
        Optional<String> priorityClass) {
    static ManifestOptions of(String image) {
        return new ManifestOptions(
                image, "", false, JobKinds.WORDS, Optional.empty(), List.of(), "1Gi", Optional.empty());
    }

    ManifestOptions in(String other) {
        return new ManifestOptions(image, other, all, kinds, config, extra, memory, priorityClass);
    }

    ManifestOptions everywhere() {
        return new ManifestOptions(image, namespace, true, kinds, config, extra, memory, priorityClass);
    }

    ManifestOptions kinds(Set<String> words) {
        return new ManifestOptions(image, namespace, all, words, config, extra, memory, priorityClass);
    }

    ManifestOptions config(String yaml) {
        return new ManifestOptions(image, namespace, all, kinds, Optional.of(yaml), extra, memory, priorityClass);
    }

    ManifestOptions memory(String quantity) {
        return new ManifestOptions(image, namespace, all, kinds, config, extra, quantity, priorityClass);
    }

    ManifestOptions priorityClass(String name) {
        return new ManifestOptions(image, namespace, all, kinds, config, extra, memory, Optional.of(name));
    }

    /**
     * Returns a copy with one more option of {@link ControllerMain}. Replaces an earlier value of the same option.
     *
     * @param words the option, followed by its value if it takes one
     */
    ManifestOptions argument(String... words) {
        List<String> more = new ArrayList<>(extra);
        int before = more.indexOf(words[0]);
        if (before >= 0) {
            more.subList(before, before + words.length).clear();
        }
        more.addAll(List.of(words));
        return new ManifestOptions(image, namespace, all, kinds, config, List.copyOf(more), memory, priorityClass);
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
