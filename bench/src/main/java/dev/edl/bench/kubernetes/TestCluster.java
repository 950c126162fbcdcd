package dev.edl.bench.kubernetes;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The cluster that {@code KUBECONFIG} names, which {@code bench/run} starts: its fake nodes run pods that do nothing, its real
 * ones, where there are any, run containers.
 */
final class TestCluster implements AutoCloseable {
    private static final String FAKE = "kwok.x-k8s.io/node";
    /**
     * What the pods run: it does nothing, so that nothing works beside what is measured, and is gone 0.4 s after it was told to
     * end, as a process that trains has something to end.
     */
    static final String SCRIPT = "trap 'sleep 0.4; exit 1' TERM; sleep 100000 & wait";

    /** The same, but gone at once, so that the node's programs end the container while the next pod is created. */
    static final String AT_ONCE = "trap 'exit 1' TERM; sleep 100000 & wait";

    /** What every pod asks for, and may use. */
    static final String REQUEST = "cpu=50m,memory=16Mi";

    private static final int PREPARED_SECONDS = 240;

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final ApiCalls calls = new ApiCalls();
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final KubernetesClient counted = new KubernetesClientBuilder()
            .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("calls", calls))
            .build();

    /** For what is not to be counted: the benchmark's own watches and deletions, and the peers. */
    KubernetesClient client() {
        return client;
    }

    /** The client of the executors, and of who is compared with them. */
    KubernetesClient counted() {
        return counted;
    }

    /** The requests of the executors. */
    ApiCalls calls() {
        return calls;
    }

    boolean real() {
        return client.nodes().withoutLabel("type", "kwok").list().getItems().size() > 0;
    }

    /** A new namespace, whose default account is there, without which the server holds up the first pods. */
    String namespace(String prefix) throws InterruptedException {
        String name = prefix + "-" + NEXT.incrementAndGet();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        long end = System.nanoTime() + 60_000_000_000L;
        while (client.serviceAccounts().inNamespace(name).withName("default").get() == null) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("namespace " + name + " had no account \"default\" within 60 s");
            }
            Thread.sleep(20);
        }
        return name;
    }

    /** Removes a namespace and waits until it is gone with all that it held, so that nothing of it disturbs anybody. */
    void remove(String namespace) throws InterruptedException {
        client.namespaces().withName(namespace).delete();
        client.pods().inNamespace(namespace).withGracePeriod(0).delete();
        long end = System.nanoTime() + 300_000_000_000L;
        while (client.namespaces().withName(namespace).get() != null) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("namespace " + namespace + " did not go within 300 s");
            }
            Thread.sleep(200);
        }
    }

    /** Runs a program that prepares the cluster; what it prints as errors stands on standard error. */
    static void command(String... words) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (!process.waitFor(PREPARED_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(words[0] + " did not end within " + PREPARED_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(words[0] + " failed: exit code " + process.exitValue());
            }
        } catch (IOException e) {
            throw new IllegalStateException(words[0] + " could not be started", e);
        }
    }

    /** What bears the fake nodes' taint. */
    static PodOptions onFakeNodes() {
        return PodOptions.builder()
                .toleration(FAKE, "NoSchedule")
                .nodeSelector("type", "kwok")
                .build();
    }

    /** With the grace period that the peers' pods have. */
    static PodOptions onRealNodes() {
        return PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .build();
    }

    /** An executor whose requests are counted. */
    KubernetesExecutor executor(PodOptions options) {
        return KubernetesExecutor.using(counted, options);
    }

    /** A job of so many workers, and its leader. */
    static Job job(String namespace, int workers) {
        return job(namespace, workers, SCRIPT);
    }

    /** A job whose pods run a script. */
    static Job job(String namespace, int workers, String script) {
        JobBuilder job = Job.named("bench")
                .namespace(namespace)
                .image("edl.local/busybox:1")
                .command("sh", "-c", script)
                .request(REQUEST);
        return job.master().workers(workers, w -> w.elastic(1, workers + 1)).build();
    }

    @Override
    public void close() {
        counted.close();
        client.close();
    }
}
