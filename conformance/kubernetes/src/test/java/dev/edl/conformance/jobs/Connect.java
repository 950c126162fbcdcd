package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Checks byte channels to ports of pods: bytes arrive complete, and a port without a listener or a deleted pod ends the
 * channel.
 */
@OnCluster("--nodes 3")
class Connect {
    private static final String NAMESPACE = "edl-connect";
    private static final int PORT = 9000;
    private static final long SECONDS = 60;

    @Test
    void byte_channels_reach_ports_of_pods() throws Exception {
        PodOptions options = PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .build();
        Job job = Job.named("echo")
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .command("sh", "-c", "trap 'exit 0' TERM; (while true; do nc -l -p " + PORT + " -e cat; done) & wait")
                .request("cpu=100m,memory=16Mi")
                .master()
                .workers(2)
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                    KubernetesRun run = executor.submit(job)) {
                for (String replica : List.of("worker-0", "worker-1")) {
                    Checks.until(replica + " runs", () -> run, () -> running(run.status(), replica));
                }
                echoes(run);
                refusesUnboundPort(run);
                thePodGoes(client, run);
                ByteChannel open = connected(run, "worker-0");
                run.close();
                Checks.check(!open.isOpen(), "the channel outlives its run");
                executor.delete(NAMESPACE, "echo");
            }
            client.namespaces().withName(NAMESPACE).delete();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
        System.out.println(
                "kubernetes: 2 MiB came back by two channels at once; a closed port and a deleted pod ended them");
    }

    private static boolean running(JobStatus status, String replica) {
        return status.replicas().stream()
                .anyMatch(one ->
                        one.name().endsWith("-" + replica) && one.status().equals("Running"));
    }

    private static ByteChannel connected(KubernetesRun run, String replica) throws Exception {
        AtomicReference<ByteChannel> open = new AtomicReference<>();
        Checks.until(replica + " listens", () -> run, () -> answers(run, replica, open));
        return open.get();
    }

    /** Connects; the replica listens when it returns the first byte. */
    private static boolean answers(KubernetesRun run, String replica, AtomicReference<ByteChannel> open) {
        try {
            ByteChannel channel = run.connect(replica, PORT);
            try {
                channel.write(ByteBuffer.wrap(new byte[] {7}));
                if (channel.read(ByteBuffer.allocate(1)) == 1) {
                    open.set(channel);
                    return true;
                }
            } finally {
                if (open.get() == null) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            System.out.println(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static void echoes(KubernetesRun run) throws Exception {
        CompletableFuture<Void> both = CompletableFuture.allOf(echo(run, "worker-0", 1), echo(run, "worker-1", 2));
        both.get(2 * SECONDS, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> echo(KubernetesRun run, String replica, int seed) throws Exception {
        ByteChannel channel = connected(run, replica);
        byte[] sent = new byte[1 << 20];
        new Random(seed).nextBytes(sent);
        CompletableFuture<Void> written = CompletableFuture.runAsync(
                () -> {
                    try {
                        channel.write(ByteBuffer.wrap(sent));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Connect::start);
        return written.thenCombine(
                CompletableFuture.runAsync(
                        () -> {
                            ByteBuffer got = ByteBuffer.allocate(sent.length);
                            try (channel) {
                                while (got.hasRemaining() && channel.read(got) >= 0) {}
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                            Checks.check(
                                    Arrays.equals(got.array(), sent),
                                    replica + ": of 1 MiB, " + got.position() + " bytes came back, or others");
                        },
                        Connect::start),
                (one, other) -> null);
    }

    /** Starts a thread for each end, because a writer blocks until the other end reads. */
    private static void start(Runnable end) {
        new Thread(end, "an end of a channel").start();
    }

    private static void refusesUnboundPort(KubernetesRun run) throws Exception {
        try (ByteChannel channel = run.connect("worker-0", 9001)) {
            IOException why = failure(channel);
            System.out.println(why);
            Checks.check(
                    why != null && why.getMessage().contains("worker-0:9001"), "a port without a listener gave " + why);
        }
    }

    private static void thePodGoes(KubernetesClient client, KubernetesRun run) throws Exception {
        try (ByteChannel channel = connected(run, "worker-1")) {
            CompletableFuture<IOException> reading =
                    CompletableFuture.supplyAsync(() -> failure(channel), Connect::start);
            client.pods()
                    .inNamespace(NAMESPACE)
                    .withName("elasticdl-echo-worker-1")
                    .withGracePeriod(0)
                    .delete();
            System.out.println(reading.get(SECONDS, TimeUnit.SECONDS));
        }
        try {
            run.connect("worker-1", PORT).close();
            Checks.check(false, "a pod that is gone was connected to");
        } catch (IOException | IllegalArgumentException e) {
            System.out.println(e);
        }
    }

    /** Returns the failure that ends reading; null for a normal end. */
    private static IOException failure(ByteChannel channel) {
        try {
            while (channel.read(ByteBuffer.allocate(64)) >= 0) {}
            return null;
        } catch (IOException e) {
            return e;
        }
    }
}
