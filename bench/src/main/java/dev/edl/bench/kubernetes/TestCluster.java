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
 * The cluster in {@code KUBECONFIG}, which {@code bench/run} starts: its fake nodes only simulate pods; its real nodes,
 * if any, run containers.
 */
final class TestCluster implements AutoCloseable {
    private static final String FAKE = "kwok.x-k8s.io/node";
    /**
     * Script of the pods: it does nothing, so that it does not disturb the measurement, and ends 0.4 s after SIGTERM,
     * like a training process.
     */
    static final String SCRIPT = "trap 'sleep 0.4; exit 1' TERM; sleep 100000 & wait";

    /**
     * Script like {@link #SCRIPT} that ends at once on SIGTERM, so that the node ends the container while the next pod
     * is created.
     */
    static final String AT_ONCE = "trap 'exit 1' TERM; sleep 100000 & wait";

    /** Request and limit of every pod. */
    static final String REQUEST = "cpu=50m,memory=16Mi";

    private static final int PREPARED_SECONDS = 240;

    private static final AtomicInteger NEXT = new AtomicInteger();

    private final ApiCalls calls = new ApiCalls();
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final KubernetesClient counted = new KubernetesClientBuilder()
            .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("calls", calls))
            .build();

    /**
     * Returns the client whose requests are not counted: those of the benchmark itself, such as watches, deletions and
     * the objects of peers.
     */
    KubernetesClient client() {
        return client;
    }

    /** Returns the client whose requests {@link #calls} counts: that of the executors and of the bare client. */
    KubernetesClient counted() {
        return counted;
    }

    /** Returns the counter of the requests by {@link #counted}. */
    ApiCalls calls() {
        return calls;
    }

    boolean real() {
        return client.nodes().withoutLabel("type", "kwok").list().getItems().size() > 0;
    }

    /** Creates a namespace and waits for its default service account, without which the first pods are delayed. */
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

    /**
     * Deletes a namespace with its pods and waits until it is gone, so that its deletion does not disturb the next
     * measurement.
     */
    void remove(String namespace) throws InterruptedException {
        client.namespaces().withName(namespace).delete();
        client.pods().inNamespace(namespace).withGracePeriod(0).delete();
        long end = System.nanoTime() + 300_000_000_000L;
        while (client.namespaces().withName(namespace).get() != null) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("namespace " + namespace + " was not deleted within 300 s");
            }
            Thread.sleep(200);
        }
    }

    /** Runs a program that prepares the cluster; its errors go to standard error. */
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

    /** Returns options for pods on the fake nodes, whose taint they tolerate. */
    static PodOptions onFakeNodes() {
        return PodOptions.builder()
                .toleration(FAKE, "NoSchedule")
                .nodeSelector("type", "kwok")
                .build();
    }

    /** Returns options for pods on the real nodes: a user, and the peers' grace period of a second. */
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

    /** Returns an executor whose requests {@link #calls} counts. */
    KubernetesExecutor executor(PodOptions options) {
        return KubernetesExecutor.using(counted, options);
    }

    /**
     * Returns a job of a master and workers, whose pods run {@link #SCRIPT}.
     *
     * @param workers number of workers
     */
    static Job job(String namespace, int workers) {
        return job(namespace, workers, SCRIPT);
    }

    /**
     * Returns a job of a master and workers, whose pods run a shell script.
     *
     * @param workers number of workers
     */
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
