package dev.edl.operators.controller;

import dev.edl.k8s.client.ClusterConfigSources;
import dev.edl.k8s.client.ConnectivityCheck;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.operators.controller.internal.HttpEndpoints;
import dev.edl.operators.controller.metrics.MetricsFormat;
import dev.edl.operators.controller.metrics.MetricsServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Main program of a {@link Controller} of every kind, in a pod or on a developer's machine, where it uses the cluster
 * of the kubeconfig:
 *
 * <pre>
 * java -cp ... dev.edl.operators.controller.ControllerMain --namespace team-a --config controller_config_file.yaml
 * </pre>
 *
 * <p>Options:
 *
 * <ul>
 * <li>{@code --namespace NAME}, repeatable, or {@code --all-namespaces}; the default is {@code MY_POD_NAMESPACE}.
 * <li>{@code --kinds tfjob,mxjob,trainingjob}: the kinds; the default is all.
 * <li>{@code --config FILE}: configuration in the TfJob operator's format.
 * <li>{@code --init-container-image IMAGE}: image of the first container of a TrainingJob's launcher, which copies the
 * hosts. It needs a shell and {@code cp}.
 * <li>{@code --identity NAME}; the default is {@code MY_POD_NAME}, otherwise host and process.
 * <li>{@code --lease-namespace NAME}; the default is {@code MY_POD_NAMESPACE}.
 * <li>{@code --node-notices}: workers leave nodes that are about to be taken away, by {@link NodeNotices#standard}.
 * <li>{@code --no-force-delete}: the controller force-deletes no pod ({@link ControllerBuilder#forceDelete}).
 * <li>{@code --max-replicas-per-job}, {@code --max-replicas-per-namespace} and {@code --max-replicas}: the
 * {@link ReplicaQuotas}.
 * <li>{@code --health-probe-bind-address HOST:PORT} and {@code --metrics-bind-address HOST:PORT}: addresses of
 * {@link MetricsServer}; without them there is none.
 * </ul>
 *
 * <p>A signal ends the program. It releases the lease first, so that another controller takes over at once. An
 * {@link Error}, such as an OutOfMemoryError, ends it with code 70.
 */
public final class ControllerMain {
    private static final Logger LOG = System.getLogger(ControllerMain.class.getName());
    /** Exit code after an Error: {@code EX_SOFTWARE} of {@code sysexits.h}. */
    static final int BROKEN = 70;

    private ControllerMain() {}

    /** Runs the controller until a signal ends the JVM; exits with code 2 if an option is wrong. */
    public static void main(String[] args) throws InterruptedException, IOException {
        MainOptions options;
        TfJobOperatorConfig config;
        try {
            options = MainOptions.parse(List.of(args), System.getenv(), host());
            config = TfJobOperatorConfig.parse(
                    options.config().isEmpty() ? "{}" : Files.readString(Path.of(options.config())));
            // Checks the option values before anything starts.
            JobKinds.of(options.kinds(), config, options.initImage());
            format(options);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        // For any thread, including the client's.
        Thread.setDefaultUncaughtExceptionHandler(ControllerMain::uncaught);
        CountDownLatch ended = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        try (KubernetesClient client = ConnectivityCheck.client(ClusterConfigSources.ofProcess());
                Controller controller = builder(client, options, config)
                        .onError(ControllerMain::broken)
                        .start();
                HttpEndpoints endpoints = HttpEndpoints.start(
                        options.metrics(), options.probes(), controller::metrics, format(options))) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ended, main), "edl-controller-shutdown"));
            System.out.println(controller + endpoints.describe());
            ended.await();
        }
    }

    /**
     * Shutdown hook: makes the main thread close the controller, and waits for it, because the JVM ends when the hook
     * returns. So the lease is released first.
     */
    private static void end(CountDownLatch ended, Thread main) {
        ended.countDown();
        try {
            main.join(Duration.ofSeconds(60).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static ControllerBuilder builder(KubernetesClient client, MainOptions options, TfJobOperatorConfig config) {
        ControllerBuilder builder = Controller.using(client);
        JobKinds.of(options.kinds(), config, options.initImage()).forEach(builder::kind);
        if (options.nodeNotices()) {
            builder.nodeNotices(NodeNotices.standard());
        }
        return builder.replicas(options.replicas())
                .forceDelete(options.forceDelete())
                .namespaces(options.namespaces().toArray(String[]::new))
                .identity(options.identity())
                .leaseNamespace(options.leaseNamespace());
    }

    private static Optional<MetricsFormat> format(MainOptions options) {
        if (options.metrics().isEmpty()) {
            return Optional.empty();
        }
        Optional<MetricsFormat> format = MetricsFormat.installed();
        if (format.isEmpty()) {
            throw new IllegalArgumentException(
                    "--metrics-bind-address needs a metrics format on the class path, and there is"
                            + " none; add the jar of dev.edl:edl-prometheus and its dependencies");
        }
        return format;
    }

    static void uncaught(Thread thread, Throwable why) {
        if (why instanceof Error error) {
            broken(error);
        }
        LOG.log(Level.WARNING, "thread " + thread.getName() + " ended: " + why, why);
    }

    /** Halts the JVM without hooks and without releasing the lease: after an Error, hooks and the release may hang. */
    private static void broken(Error error) {
        try {
            LOG.log(Level.ERROR, "the controller exits, and another one takes over its jobs: " + error, error);
        } finally {
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    private static String host() throws UnknownHostException {
        return InetAddress.getLocalHost().getHostName() + "-"
                + ProcessHandle.current().pid();
    }
}
