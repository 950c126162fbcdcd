package dev.edl.k8s;

import dev.edl.k8s.nodes.NodeNotices;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The pod that drives a job within the cluster, as {@link KubernetesExecutor#handOver} makes it. Immutable.
 *
 * <pre>{@code
 * DriverPod.of("registry.example/acme/edl:1")         // has Java, and in /app the library with what it needs
 *     .mainClass("com.example.Driver");               // for jobs whose pods have options
 * }</pre>
 *
 * <p>It runs {@code java -cp /app/* dev.edl.k8s.KubernetesDriver NAMESPACE JOB} as user 1000, meets Pod Security {@code restricted},
 * asks for 0.1 CPU and 256 MiB, and has no limits. A Job of Kubernetes starts it again as often as it fails; exit codes are those of
 * {@link KubernetesDriver}.
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

    /** A driver of an image that has Java and, in {@code /app}, this library with what it needs. */
    public static DriverPod of(String image) {
        return new DriverPod(
                image, "java", "/app/*", KubernetesDriver.class.getName(), UnaryOperator.identity(), false, true);
    }

    /** Where the image has its {@code java}; the default is found by its {@code PATH}. */
    public DriverPod java(String path) {
        return new DriverPod(image, path, classPath, mainClass, tweak, notices, forces);
    }

    /** Where the image has the classes; the default is {@code /app/*}. */
    public DriverPod classPath(String path) {
        return new DriverPod(image, java, path, mainClass, tweak, notices, forces);
    }

    /**
     * What runs: a class whose {@code main} calls {@link KubernetesDriver#run} with the options of the job's pods. The default is
     * {@link KubernetesDriver}, for jobs without options.
     */
    public DriverPod mainClass(String name) {
        return new DriverPod(image, java, classPath, name, tweak, notices, forces);
    }

    /** The last word on the pod, as a node to run on, or more memory; several are applied in order. */
    public DriverPod pod(UnaryOperator<PodTemplateSpec> change) {
        return new DriverPod(
                image, java, classPath, mainClass, template -> change.apply(tweak.apply(template)), notices, forces);
    }

    /**
     * Has workers leave nodes that are about to go ({@link KubernetesExecutorBuilder#nodeNotices}, by the standard notices). The
     * driver's account {@code edl-driver-JOB} needs {@code list} and {@code watch} of nodes then, which an
     * administrator has to grant. Nodes are of no namespace, and what a job owns is of its own:
     *
     * <pre>
     * kubectl create clusterrole edl-node-notices --verb=list,watch --resource=nodes
     * kubectl create clusterrolebinding edl-driver-mnist --clusterrole=edl-node-notices \
     *     --serviceaccount=team-a:edl-driver-mnist
     * </pre>
     *
     * <p>The driver does not drive without it: it ends with an error that says so, and is started again. A class of one's own
     * may call {@link KubernetesDriver#run(dev.edl.k8s.render.PodOptions, NodeNotices, String...)} with other notices instead.
     */
    public DriverPod nodeNotices() {
        return new DriverPod(image, java, classPath, mainClass, tweak, true, forces);
    }

    /**
     * Has the driver delete pods by force, or not: see {@link KubernetesExecutorBuilder#forceDelete}. The default is what the executor
     * that hands the job over does. A class of one's own gets the argument {@code --no-force-delete}.
     */
    public DriverPod forceDelete(boolean byForce) {
        return new DriverPod(image, java, classPath, mainClass, tweak, notices, byForce);
    }

    String image() {
        return image;
    }

    /** Whether it may have workers leave nodes that are about to go: a class of one's own may. */
    boolean knowsNotices() {
        return notices || knowsOptions();
    }

    boolean knowsOptions() {
        return !mainClass.equals(KubernetesDriver.class.getName());
    }

    /** @param digest of the job, which the pod compares with that of the record */
    List<String> command(String namespace, String job, String digest) {
        List<String> words = new ArrayList<>(
                // Without memory the program cannot be trusted to drive; it is started again.
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

    /** One line: {@code driver com.example.Driver of registry.example/acme/edl:1}. */
    @Override
    public String toString() {
        return "driver " + mainClass + " of " + image;
    }
}
