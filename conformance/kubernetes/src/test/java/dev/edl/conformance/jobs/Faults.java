package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks faults of the cluster's own programs under a running job: the API server is killed and restarts, and etcd
 * stops. The job catches up with the changes and continues. Repeats it with a job of a thousand pods.
 */
@OnCluster(value = "--nodes 0 --fake 6 --fake-size cpu=64,memory=256Gi", alone = true)
class Faults {
    private final Path cluster;
    private final KubernetesClient client;
    private final KubernetesRun run;

    private Faults(Path cluster, KubernetesClient client, KubernetesRun run) {
        this.cluster = cluster;
        this.client = client;
        this.run = run;
    }

    private String namespace() {
        return run.plan().namespace();
    }

    @Test
    void a_job_outlives_faults_of_the_control_plane() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client)) {
            for (int workers : List.of(4, 1000)) {
                String namespace = "edl-faults-" + workers;
                Checks.namespace(client, namespace, false);
                Job job = Job.named("mnist")
                        .namespace(namespace)
                        .image("edl.local/busybox:1")
                        .command("sleep", "1000")
                        .request("cpu=10m,memory=16Mi")
                        .master()
                        .ps(2)
                        .workers(workers, w -> w.elastic(1, workers + 10))
                        .build();
                try (KubernetesRun run = executor.submit(job)) {
                    new Faults(Path.of(Cluster.scripts()), client, run).all(workers);
                }
                executor.delete(namespace, "mnist");
                Checks.until(
                        "the pods go with the job",
                        Duration.ofMinutes(5),
                        () -> pods(client, namespace).size() + " pods",
                        () -> pods(client, namespace).isEmpty());
            }
        }
    }

    private void all(int workers) throws Exception {
        String size = workers + 3 + " pods: ";
        running(workers + 3);
        System.out.println("kubernetes: " + size + "all run");

        cluster("signal", "kube-apiserver", "KILL");
        run.scale("worker", workers + 1);
        cluster("start", "kube-apiserver");
        running(workers + 4);
        System.out.println(
                "kubernetes: " + size + "the API server was killed and came back; the job was scaled meanwhile");

        cluster("signal", "kube-apiserver", "KILL");
        cluster("start", "kube-apiserver");
        delete("worker-0");
        running(workers + 4);
        Checks.check(
                replicas().contains(name("worker-" + (workers + 1))), "worker-0 has no successor in " + replicas());
        System.out.println("kubernetes: " + size + "a worker deleted during the watch outage was relaunched");

        if (workers < 10) {
            cluster("signal", "kube-apiserver", "KILL");
            run.scale("worker", workers + 2);
            Duration away = Duration.ofSeconds(90);
            Checks.until(
                    "the view of the job is " + away.toSeconds() + " s old",
                    away.multipliedBy(2),
                    () -> run,
                    () -> run.status().observedAge().compareTo(away) >= 0);
            Checks.check(
                    run.status().phase() == JobPhase.RUNNING
                            && !run.status().requestFailures().isEmpty(),
                    "the status has no trouble: " + run);
            System.out.println("kubernetes: " + size + "without an API server the status says: "
                    + run.status().requestFailures());
            cluster("start", "kube-apiserver");
            running(workers + 5);
            run.scale("worker", workers + 1);
            running(workers + 4);
            System.out.println("kubernetes: " + size
                    + "the API server was away for 90 s with a request to scale pending; nothing was killed");
        }

        cluster("signal", "etcd", "STOP");
        run.scale("worker", workers);
        // If etcd does not reply, the API server rejects the request after a while; the job retries it.
        Checks.stays(
                "the job runs without etcd",
                Duration.ofSeconds(5),
                () -> run,
                () -> run.status().phase() == JobPhase.RUNNING);
        cluster("signal", "etcd", "CONT");
        running(workers + 3);
        System.out.println("kubernetes: " + size + "etcd stood still for 5 s; the job was scaled meanwhile");

        client.pods().inNamespace(namespace()).withName(name("master")).editStatus(pod -> {
            pod.getStatus().setPhase("Succeeded");
            return pod;
        });
        Checks.until(
                "the job succeeds and its workers go",
                Duration.ofMinutes(5),
                () -> run.status().phase(),
                () -> run.status().phase() == JobPhase.SUCCEEDED
                        && pods(client, namespace()).size() == 1);
        Checks.check(
                run.events().stream().noneMatch(e -> e.toString().contains("JOB_FAILED")),
                "the job failed on its way: " + run.events());
    }

    private void running(int count) throws InterruptedException {
        Checks.until(
                count + " pods run",
                Duration.ofMinutes(5),
                () -> run.status().toString().lines().findFirst() + ", "
                        + pods(client, namespace()).size() + " pods, events "
                        + run.events()
                                .subList(
                                        Math.max(0, run.events().size() - 5),
                                        run.events().size()),
                () -> run.status().replicas().stream()
                                        .filter(replica -> replica.status().equals("Running"))
                                        .count()
                                == count
                        && pods(client, namespace()).stream()
                                        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                                        .filter(pod ->
                                                pod.getStatus().getPhase().equals("Running"))
                                        .count()
                                == count);
    }

    private static List<Pod> pods(KubernetesClient client, String namespace) {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    private List<String> replicas() {
        return pods(client, namespace()).stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    private String name(String replica) {
        return "elasticdl-mnist-" + replica;
    }

    private void delete(String replica) throws InterruptedException {
        Checks.until("the API server takes the deletion of " + replica, () -> "", () -> {
            try {
                client.pods().inNamespace(namespace()).withName(name(replica)).delete();
                return true;
            } catch (KubernetesClientException starting) {
                return false;
            }
        });
    }

    private void cluster(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(words));
        command.set(0, cluster.resolve(words[0]).toString());
        Process process = new ProcessBuilder(command).inheritIO().start();
        Checks.check(process.waitFor() == 0, String.join(" ", words) + " failed");
    }
}
