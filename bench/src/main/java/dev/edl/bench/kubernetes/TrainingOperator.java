package dev.edl.bench.kubernetes;

import dev.edl.Job;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobStatus;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.CustomResourceRun;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Locale;

/** Behaviour of Kubeflow's own training operator, installed by its manifests, for a TFJob that loses a worker. */
final class TrainingOperator {
    private static final int WORKERS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TrainingOperator() {}

    /**
     * Installs the operator, submits a TFJob and deletes one of its workers; returns a sentence on what happened to the
     * job.
     */
    static String lose(TestCluster cluster) throws InterruptedException {
        TestCluster.command(
                PeerSoftware.top().resolve("conformance/kubernetes/operator").toString());
        String namespace = cluster.namespace("tfjob");
        Job job = Job.named("peer")
                .namespace(namespace)
                .tensorflow()
                .image("edl.local/busybox:1")
                .command("sh", "-c", TestCluster.SCRIPT)
                .request(TestCluster.REQUEST)
                .workers(WORKERS)
                .build();
        try (PodWatch pods = new PodWatch(cluster.client(), namespace);
                CustomResourceExecutor operator =
                        CustomResourceExecutor.using(cluster.client(), CustomResourceKind.kubeflowTfJob());
                CustomResourceRun run = operator.submit(job)) {
            pods.running(WORKERS);
            Pod worker = cluster.client()
                    .pods()
                    .inNamespace(namespace)
                    .withName("peer-worker-1")
                    .get();
            long begin = System.nanoTime();
            cluster.client().resource(worker).withGracePeriod(1).delete();
            try {
                JobStatus end = run.await(LIMIT);
                return String.format(
                        Locale.ROOT,
                        "Kubeflow's TFJob was %s %.0f ms after the deletion, %d pods created for it: %s",
                        end.phase(),
                        (System.nanoTime() - begin) / 1e6,
                        pods.count() - WORKERS,
                        end.message());
            } catch (AwaitTimeoutException e) {
                return "Kubeflow's TFJob went on for " + LIMIT.toSeconds() + " s, " + (pods.count() - WORKERS)
                        + " pods created for it";
            }
        } finally {
            cluster.remove(namespace);
        }
    }
}
