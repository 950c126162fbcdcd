package dev.edl.k8s;

import dev.edl.k8s.nodes.NodeNotices;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Immutable description of the pod that drives a job within the cluster; see {@link KubernetesExecutor#handOver}.
 *
 * <pre>{@code
 * DriverPod.of("registry.example/acme/edl:1")         // has Java, and in /app the library with its dependencies
 *     .mainClass("com.example.Driver");               // for jobs whose pods have options
 * }</pre>
 *
 * <p>The pod runs {@code java -cp /app/* dev.edl.k8s.KubernetesDriver NAMESPACE JOB} as user 1000 and meets Pod
 * Security {@code restricted}. It requests 0.1 CPU and 256 MiB, and has no limits. A Job of Kubernetes restarts it
 * after every failure. Its exit codes are those of {@link KubernetesDriver}.
 */
public final class DriverPod {
    private final String image;
    private final String java;
    private final String classPath;
    private final String mainClass;
    private final UnaryOperator<PodTemplateSpec> tweak;
    private final boolean notices;
    private final boolean forces;

    private DriverPod(
            String image,
            String java,
            String classPath,
            String mainClass,
            UnaryOperator<PodTemplateSpec> tweak,
            boolean notices,
            boolean forces) {
        this.image = given("an image", image, "registry.example/acme/edl:1");
        this.java = given("the path of java", java, "java");
        this.classPath = given("a class path", classPath, "/app/*");
        this.mainClass = given("a main class", mainClass, "com.example.Driver");
        this.tweak = Objects.requireNonNull(tweak, "tweak");
        this.notices = notices;
        this.forces = forces;
    }

    private static String given(String what, String value, String example) {
        if (!value.matches("\\S+")) {
            throw new IllegalArgumentException(
                    what + " must not be empty and have no spaces, was \"" + value + "\"; for example " + example);
        }
        return value;
    }

    /** Returns a driver pod that runs an image with Java and, in {@code /app}, this library with its dependencies. */
    public static DriverPod of(String image) {
        return new DriverPod(
                image, "java", "/app/*", KubernetesDriver.class.getName(), UnaryOperator.identity(), false, true);
    }

    /** Sets the path of {@code java} in the image. By default {@code PATH} finds it. */
    public DriverPod java(String path) {
        return new DriverPod(image, path, classPath, mainClass, tweak, notices, forces);
    }

    /** Sets the class path in the image; the default is {@code /app/*}. */
    public DriverPod classPath(String path) {
        return new DriverPod(image, java, path, mainClass, tweak, notices, forces);
    }

    /**
     * Sets the main class: its {@code main} calls {@link KubernetesDriver#run} with the options of the job's pods. The
     * default is {@link KubernetesDriver}, for jobs without options.
     */
    public DriverPod mainClass(String name) {
        return new DriverPod(image, java, classPath, name, tweak, notices, forces);
    }

    /**
     * Adds a change to the driver's pod template, for example a node selector or more memory. Changes apply after all
     * other settings, in the order of the calls.
     */
    public DriverPod pod(UnaryOperator<PodTemplateSpec> change) {
        return new DriverPod(
                image, java, classPath, mainClass, template -> change.apply(tweak.apply(template)), notices, forces);
    }

    /**
     * Moves workers off nodes that are about to go, by the standard notices; see
     * {@link KubernetesExecutorBuilder#nodeNotices}.
     *
     * <p>The driver's account {@code edl-driver-JOB} then needs {@code list} and {@code watch} of nodes. An
     * administrator must grant them: nodes belong to no namespace, and a job can own only objects of its own namespace.
     *
     * <pre>
     * kubectl create clusterrole edl-node-notices --verb=list,watch --resource=nodes
     * kubectl create clusterrolebinding edl-driver-mnist --clusterrole=edl-node-notices \
     *     --serviceaccount=team-a:edl-driver-mnist
     * </pre>
     *
     * <p>Without this permission the driver exits with an error that names it, and is restarted. A custom main class
     * may call {@link KubernetesDriver#run(dev.edl.k8s.render.PodOptions, NodeNotices, String...)} with other notices
     * instead.
     */
    public DriverPod nodeNotices() {
        return new DriverPod(image, java, classPath, mainClass, tweak, true, forces);
    }

    /**
     * Sets whether the driver force-deletes pods; see {@link KubernetesExecutorBuilder#forceDelete}. The default is the
     * setting of the executor that hands the job over. A custom main class gets the argument {@code --no-force-delete}.
     */
    public DriverPod forceDelete(boolean byForce) {
        return new DriverPod(image, java, classPath, mainClass, tweak, notices, byForce);
    }

    String image() {
        return image;
    }

    /**
     * Returns whether the driver may move workers off nodes that are about to go: {@link #nodeNotices} is set, or a
     * custom main class may do so.
     */
    boolean knowsNotices() {
        return notices || knowsOptions();
    }

    boolean knowsOptions() {
        return !mainClass.equals(KubernetesDriver.class.getName());
    }

    /**
     * Returns the command line of the driver's container.
     *
     * @param digest digest of the job that is handed over, which the driver compares with the digest of the job's
     *     record
     */
    List<String> command(String namespace, String job, String digest) {
        List<String> words = new ArrayList<>(
                // After an OutOfMemoryError the driver's state is unreliable; the JVM exits and is restarted.
                List.of(java, "-XX:+ExitOnOutOfMemoryError", "-cp", classPath, mainClass, namespace, job));
        words.add(KubernetesDriver.JOB_DIGEST + digest);
        if (notices) {
            words.add(KubernetesDriver.NODE_NOTICES);
        }
        if (!forces) {
            words.add(KubernetesDriver.NO_FORCE_DELETE);
        }
        return words;
    }

    PodTemplateSpec tweaked(PodTemplateSpec template) {
        return Objects.requireNonNull(tweak.apply(template), "a change of the driver's pod must return a pod");
    }

    /** Returns one line: {@code driver com.example.Driver of registry.example/acme/edl:1}. */
    @Override
    public String toString() {
        return "driver " + mainClass + " of " + image;
    }
}
