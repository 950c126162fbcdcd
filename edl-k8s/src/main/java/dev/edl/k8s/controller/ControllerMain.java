package dev.edl.k8s.controller;

import dev.edl.k8s.NodeNotices;
import dev.edl.k8s.internal.reach.Reach;
import dev.edl.k8s.internal.reach.Surroundings;
import dev.edl.k8s.render.ControllerConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A {@link Controller} of every kind as a program, in a pod or on a developer's machine, where it takes the cluster of the
 * kubeconfig:
 *
 * <pre>
 * java -cp ... dev.edl.k8s.controller.ControllerMain --namespace team-a --config controller_config_file.yaml
 * </pre>
 *
 * <p>Options: {@code --namespace NAME}, again for more, or {@code --all-namespaces}; without either the namespace in
 * {@code MY_POD_NAMESPACE}. {@code --config FILE} has the TfJob operator's format. {@code --init-container-image IMAGE}, as
 * et-operator calls it, is that of the first container of a TrainingJob's launcher, which copies the hosts: one with a shell and
 * {@code cp}; the default is {@code alpine:3.10}. {@code --identity NAME}, else {@code MY_POD_NAME}, else host and process.
 * {@code --lease-namespace NAME}, else {@code MY_POD_NAMESPACE}. {@code --node-notices}: workers leave nodes that are about to
 * go, by {@link NodeNotices#standard}.
 *
 * <p>A signal ends it; it gives up the lease before, so that another one takes over at once.
 */
public final class ControllerMain {
    private ControllerMain() {}

    /** Runs until a signal; ends with code 2 for options that are wrong. */
    public static void main(String[] args) throws InterruptedException, IOException {
        MainOptions options;
        ControllerConfig config;
        try {
            options = MainOptions.parse(List.of(args), System.getenv(), host());
            config = ControllerConfig.parse(
                    options.config().isEmpty() ? "{}" : Files.readString(Path.of(options.config())));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        CountDownLatch ended = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        try (KubernetesClient client = Reach.client(Surroundings.ofProcess());
                Controller controller = builder(client, options, config).start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ended, main), "edl-controller-shutdown"));
            System.out.println(controller);
            ended.await();
        }
    }

    /** The JVM ends when this returns: the lease is to be given up before. */
    private static void end(CountDownLatch ended, Thread main) {
        ended.countDown();
        try {
            main.join(Duration.ofSeconds(60).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static ControllerBuilder builder(KubernetesClient client, MainOptions options, ControllerConfig config) {
        ControllerBuilder builder = Controller.using(client);
        Kinds.all(config, options.initImage()).forEach(builder::kind);
        if (options.nodeNotices()) {
            builder.nodeNotices(NodeNotices.standard());
        }
        return builder.namespaces(options.namespaces().toArray(String[]::new))
                .identity(options.identity())
                .leaseNamespace(options.leaseNamespace());
    }

    private static String host() throws UnknownHostException {
        return InetAddress.getLocalHost().getHostName() + "-"
                + ProcessHandle.current().pid();
    }
}
