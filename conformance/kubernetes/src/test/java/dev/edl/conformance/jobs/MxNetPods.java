package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Frameworks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Volume;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Checks that the MxJob operator's example of a distributed job trains with MXNet in pods. It has a scheduler, 2 servers
 * and 3 workers, which find the scheduler by the Service of the plan. A worker is deleted, then a server; both are
 * recreated under their names, as that operator's replicas are.
 *
 * <p>ps-lite, a part of MXNet, behaves as follows. When a node registers while all places are taken, the scheduler
 * gives it the place of a node of its role whose heartbeat has stopped for PS_HEARTBEAT_TIMEOUT seconds. If there is
 * none, it never replies. So a recreated worker waits that long before it registers, and takes part again under
 * dist_async; no other process restarts. The scheduler keeps a list of recreated nodes, never clears it, and ends
 * itself at the second entry. A server's values are lost with it, because it has no copy, and requests to it are not
 * repeated. So a lost server makes all processes end with a code on which operators restart them. They resume from a
 * checkpoint with a new scheduler, which can again give one place away.
 */
@OnCluster("--nodes 3")
class MxNetPods {
    private static final String NAMESPACE = "edl-mxnet";
    private static final String NAME = "example-dist-job-%s-1kkf-%d";

    @Test
    void mxnet_trains_in_pods() throws Exception {
        Frameworks mxnet = Frameworks.of("mxnet", Cluster.scripts());
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, Frameworks.OPTIONS)) {
            Checks.namespace(client, NAMESPACE, false);
            KubernetesRun run = executor.submit(plan(mxnet));
            run.onEvent(event -> System.out.println("  " + event));
            mxnet.trains("MXNet trains", run, 3);

            Map<String, String> before = pods(client);
            String worker = NAME.formatted("worker", 1);
            Frameworks.replaced(client, run, worker);
            Checks.until(
                    "ps-lite gives the worker the place of the lost one",
                    Duration.ofMinutes(3),
                    () -> run + "\n" + log(client, worker),
                    () -> log(client, worker).contains("begins with step"));
            mxnet.trains("it goes on after the loss of a worker", run, 3);
            Map<String, String> after = pods(client);
            Checks.check(
                    !before.get(worker).equals(after.get(worker)) && differ(before, after) == 1,
                    "one pod was to be another one, pods were\n" + before + "\nand are\n" + after);
            System.out.println(
                    "kubernetes: a worker was deleted and came back under its name; ps-lite gave it its place, MXNet trained on,"
                            + " and no other pod was started anew");

            int step = last(mxnet);
            Frameworks.replaced(client, run, NAME.formatted("server", 1));
            Checks.until(
                    "all others are relaunched",
                    () -> run + "\n" + run.events(),
                    () -> differ(after, pods(client)) == after.size());
            mxnet.trains("it goes on after the loss of a server", run, 3);
            Checks.check(last(mxnet) > step, "it was to go on from step " + step + ", steps are " + mxnet.losses());
            System.out.println(
                    "kubernetes: a server was deleted and came back under its name; all were relaunched, and went on from the"
                            + " checkpoint of step "
                            + step(mxnet.losses().stream()
                                    .filter(line -> step(line) >= step)
                                    .findFirst()
                                    .orElseThrow()));

            Files.createFile(mxnet.shared.resolve("finish"));
            JobStatus end = run.await(Duration.ofMinutes(3));
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job must succeed, but " + end + "\n" + run.events());
            Checks.until(
                    "every process ended with 0",
                    () -> client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                            .map(pod -> pod.getMetadata().getName() + " " + pod.getStatus())
                            .toList(),
                    () -> client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                                    .filter(pod -> pod.getStatus().getPhase().equals("Succeeded"))
                                    .count()
                            == after.size());
            System.out.println(
                    "kubernetes: MXNet's scheduler, 2 servers and 3 workers trained in pods and all ended with 0, loss "
                            + mxnet.learned());
            executor.delete(NAMESPACE, "example-dist-job");
            client.namespaces().withName(NAMESPACE).delete();
        } finally {
            mxnet.remove();
        }
    }

    private static JobPlan plan(Frameworks mxnet) {
        JobBuilder job = Job.named("example-dist-job")
                .namespace(NAMESPACE)
                .mxnet()
                .runId("1kkf")
                .image("edl.local/busybox:1")
                .command(mxnet.python, "-W", "ignore", mxnet.programs + "/mxnet/restartable.py")
                .env("MODEL_DIR", "/shared")
                // The scheduler's address is a name.
                .env("DMLC_USE_KUBERNETES", "1")
                .env("PS_HEARTBEAT_INTERVAL", "1")
                .env("PS_HEARTBEAT_TIMEOUT", "10")
                .env("PS_VERBOSE", "1")
                .env("OMP_NUM_THREADS", "1")
                .env("PYTHONDONTWRITEBYTECODE", "1")
                // As the operator does; so each process ends by itself.
                .cleanup(CleanupPolicy.NONE)
                .exitCodes(ExitCodePolicy.TFJOB_V1ALPHA1)
                .relaunchLimit(0)
                .request("cpu=200m,memory=256Mi")
                .limit("cpu=2,memory=2Gi");
        for (Volume volume : mxnet.volumes) {
            job.volume(volume);
        }
        return job.scheduler(all -> {})
                .servers(2, all -> {})
                .workers(3, all -> {})
                .build()
                .plan(Profile.MXJOB_V1BETA1);
    }

    private static String log(KubernetesClient client, String pod) {
        return String.valueOf(client.pods().inNamespace(NAMESPACE).withName(pod).getLog());
    }

    /** Returns uids by name. */
    private static Map<String, String> pods(KubernetesClient client) {
        Map<String, String> pods = new TreeMap<>();
        client.pods()
                .inNamespace(NAMESPACE)
                .list()
                .getItems()
                .forEach(pod ->
                        pods.put(pod.getMetadata().getName(), pod.getMetadata().getUid()));
        return pods;
    }

    /** Returns how many names have another pod. */
    private static long differ(Map<String, String> before, Map<String, String> after) {
        return before.keySet().stream()
                .filter(name -> after.containsKey(name) && !after.get(name).equals(before.get(name)))
                .count();
    }

    private static int last(Frameworks mxnet) {
        List<String> lines = mxnet.losses();
        return step(lines.get(lines.size() - 1));
    }

    private static int step(String line) {
        return Integer.parseInt(line.split(" ")[0]);
    }
}
