package dev.edl.operators.controller;

import dev.edl.k8s.render.ControllerConfig;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The kinds of jobs that a {@link Controller} can look after. */
public final class Kinds {
    /** The release of et-operator's own image that still gets security updates. */
    static final String INIT_IMAGE = "alpine:3.22";

    private Kinds() {}

    /** TfJob of {@code tensorflow.org/v1alpha1}, whose operator was given no configuration. */
    public static ObjectKind tfJob() {
        return tfJob(ControllerConfig.parse("{}"));
    }

    /**
     * TfJob of {@code tensorflow.org/v1alpha1}.
     *
     * @param config the operator's: what pods with a device get, and the image of default parameter servers
     */
    public static ObjectKind tfJob(ControllerConfig config) {
        return new TfJobKind(Objects.requireNonNull(config, "config"));
    }

    /** MxJob of {@code mxnet.mlkube.io/v1beta1}, whose operator was given no configuration. */
    public static ObjectKind mxJob() {
        return mxJob(ControllerConfig.parse("{}"), MxJobGroup.MXNET_MLKUBE);
    }

    /**
     * MxJob of one of its groups.
     *
     * @param config the operator's: what pods with a device get
     */
    public static ObjectKind mxJob(ControllerConfig config, MxJobGroup group) {
        return new MxJobKind(Objects.requireNonNull(config, "config"), Objects.requireNonNull(group, "group"));
    }

    /**
     * Every kind, MxJob in both of its groups; a launcher's first container has {@code alpine:3.22}.
     *
     * @param config the operators' of 2017
     */
    public static List<ObjectKind> all(ControllerConfig config) {
        return all(config, INIT_IMAGE);
    }

    /**
     * Every kind, MxJob in both of its groups.
     *
     * @param config the operators' of 2017
     * @param initImage of the first container of a TrainingJob's launcher; see {@link #trainingJob(String)}
     */
    public static List<ObjectKind> all(ControllerConfig config, String initImage) {
        return Stream.concat(
                        Stream.of(
                                tfJob(config),
                                mxJob(config, MxJobGroup.MXNET_MLKUBE),
                                mxJob(config, MxJobGroup.MLKUBE)),
                        trainingJob(initImage).stream())
                .toList();
    }

    /** The words by which {@code --kinds} chooses. */
    static final Set<String> WORDS =
            Collections.unmodifiableSet(new LinkedHashSet<>(List.of("tfjob", "mxjob", "trainingjob")));

    /**
     * Returns the kinds of some words; ScaleIn and ScaleOut come with {@code trainingjob}.
     *
     * @throws IllegalArgumentException for no word, or another one than {@code tfjob}, {@code mxjob} and {@code trainingjob}
     */
    static List<ObjectKind> of(Collection<String> words, ControllerConfig config, String initImage) {
        if (words.isEmpty() || !WORDS.containsAll(words)) {
            throw new IllegalArgumentException("kinds must be some of " + String.join(", ", WORDS) + ", were \""
                    + String.join(",", words) + "\"; for example tfjob,mxjob");
        }
        return all(config, initImage).stream()
                .filter(kind -> words.contains(word(kind)))
                .toList();
    }

    private static String word(ObjectKind kind) {
        String name = kind.definition().getSpec().getNames().getSingular();
        return name.startsWith("scale") ? "trainingjob" : name;
    }

    /** TrainingJob of et-operator, and its ScaleIn and ScaleOut; a launcher's first container has {@code alpine:3.22}. */
    public static List<ObjectKind> trainingJob() {
        return trainingJob(INIT_IMAGE);
    }

    /**
     * TrainingJob of et-operator, and its ScaleIn and ScaleOut.
     *
     * @param initImage of a launcher's first container, which copies the hosts: one with a shell and {@code cp}
     */
    public static List<ObjectKind> trainingJob(String initImage) {
        return List.of(
                new TrainingJobKind(Objects.requireNonNull(initImage, "initImage")),
                ScalerKind.SCALE_IN,
                ScalerKind.SCALE_OUT);
    }
}
