package dev.edl.operators.controller;

import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Kinds of jobs that a {@link Controller} can drive. */
public final class JobKinds {
    /**
     * Default image of a launcher's first container. et-operator uses the same image in an older release; this one
     * still gets security updates.
     */
    static final String INIT_IMAGE = "alpine:3.22";

    private JobKinds() {}

    /** Returns TfJob of {@code tensorflow.org/v1alpha1}, without a configuration of its operator. */
    public static ManagedKind tfJob() {
        return tfJob(TfJobOperatorConfig.parse("{}"));
    }

    /**
     * Returns TfJob of {@code tensorflow.org/v1alpha1}.
     *
     * @param config configuration of the operator: settings of pods with a device, and the image of default parameter
     *     servers
     */
    public static ManagedKind tfJob(TfJobOperatorConfig config) {
        return new TfJobKind(Objects.requireNonNull(config, "config"));
    }

    /** Returns MxJob of {@code mxnet.mlkube.io/v1beta1}, without a configuration of its operator. */
    public static ManagedKind mxJob() {
        return mxJob(TfJobOperatorConfig.parse("{}"), MxJobGroup.MXNET_MLKUBE);
    }

    /**
     * Returns MxJob in one of its two API groups.
     *
     * @param config configuration of the operator: settings of pods with a device
     */
    public static ManagedKind mxJob(TfJobOperatorConfig config, MxJobGroup group) {
        return new MxJobKind(Objects.requireNonNull(config, "config"), Objects.requireNonNull(group, "group"));
    }

    /**
     * Returns every kind, with MxJob in both API groups. The first container of a TrainingJob's launcher has the image
     * {@code alpine:3.22}.
     *
     * @param config configuration of the TfJob and MxJob operators of 2017
     */
    public static List<ManagedKind> all(TfJobOperatorConfig config) {
        return all(config, INIT_IMAGE);
    }

    /**
     * Returns every kind, with MxJob in both API groups.
     *
     * @param config configuration of the TfJob and MxJob operators of 2017
     * @param initImage image of the first container of a TrainingJob's launcher; see {@link #trainingJob(String)}
     */
    public static List<ManagedKind> all(TfJobOperatorConfig config, String initImage) {
        return Stream.concat(
                        Stream.of(
                                tfJob(config),
                                mxJob(config, MxJobGroup.MXNET_MLKUBE),
                                mxJob(config, MxJobGroup.MLKUBE)),
                        trainingJob(initImage).stream())
                .toList();
    }

    /** Words that the option {@code --kinds} accepts. */
    static final Set<String> WORDS =
            Collections.unmodifiableSet(new LinkedHashSet<>(List.of("tfjob", "mxjob", "trainingjob")));

    /**
     * Returns the kinds named by some words; {@code trainingjob} includes ScaleIn and ScaleOut.
     *
     * @throws IllegalArgumentException for an empty collection, or a word other than {@code tfjob}, {@code mxjob} and
     *     {@code trainingjob}
     */
    static List<ManagedKind> of(Collection<String> words, TfJobOperatorConfig config, String initImage) {
        if (words.isEmpty() || !WORDS.containsAll(words)) {
            throw new IllegalArgumentException("kinds must be some of " + String.join(", ", WORDS) + ", were \""
                    + String.join(",", words) + "\"; for example tfjob,mxjob");
        }
        return all(config, initImage).stream()
                .filter(kind -> words.contains(word(kind)))
                .toList();
    }

    private static String word(ManagedKind kind) {
        String name = kind.definition().getSpec().getNames().getSingular();
        return name.startsWith("scale") ? "trainingjob" : name;
    }

    /**
     * Returns TrainingJob of et-operator with its ScaleIn and ScaleOut. A launcher's first container has the image
     * {@code alpine:3.22}.
     */
    public static List<ManagedKind> trainingJob() {
        return trainingJob(INIT_IMAGE);
    }

    /**
     * Returns TrainingJob of et-operator with its ScaleIn and ScaleOut.
     *
     * @param initImage image of a launcher's first container, which copies the hosts; the image needs a shell and
     *     {@code cp}
     */
    public static List<ManagedKind> trainingJob(String initImage) {
        return List.of(
                new TrainingJobKind(Objects.requireNonNull(initImage, "initImage")),
                ScalingRequestKind.SCALE_IN,
                ScalingRequestKind.SCALE_OUT);
    }
}
