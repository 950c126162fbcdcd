import dev.edl.Job;
import dev.edl.Priority;
import dev.edl.exec.JobStatus;
import dev.edl.exec.ReplicaStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * ElasticDL's tutorial on fault tolerance and elastic scheduling, with its sizes: workers of low priority yield to a service
 * of high priority, the job goes on with what is left, and takes the room over again when the service shrinks.
 */
final class WalkThrough {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final KubernetesClient client;
    private final KubernetesRun run;

    private WalkThrough(KubernetesClient client, KubernetesRun run) {
        this.client = client;
        this.run = run;
    }

    public static void main(String[] args) throws Exception {
        Job job = Job.named("test-mnist")
                .image("gcr.io/acme/elasticdl:mnist")
                .request("cpu=2,memory=2048Mi")
                .master()
                .priority(Priority.HIGH)
                .ps(2)
                .priority(Priority.HIGH)
                .workers(4)
                .priority(Priority.LOW)
                .build();
        PodOptions options = PodOptions.builder()
                .priorityClass("high", 1_000_000)
                .priorityClass("low", 1000)
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                KubernetesRun run = executor.submit(job)) {
            new WalkThrough(client, run).walk();
        }
        System.exit(0);
    }

    private void walk() throws InterruptedException {
        until("seven replicas run", () -> running().equals(List.of("master", "ps-0", "ps-1", "worker-0", "worker-1", "worker-2", "worker-3")));
        table();

        client.pods().inNamespace("default").withName("elasticdl-test-mnist-worker-0").delete();
        until(
                "worker-4 takes over",
                () -> running().equals(List.of("master", "ps-0", "ps-1", "worker-1", "worker-2", "worker-3", "worker-4")));
        table();
        System.out.println("kubernetes: worker-0 was deleted, and worker-4 runs");

        client.resource(service(5)).create();
        until(
                "one worker runs, three wait, the service has its five replicas",
                () -> service().equals("5 Running")
                        && workers("Running").size() == 1
                        && workers("Pending").size() == 3);
        check(running().containsAll(List.of("master", "ps-0", "ps-1")), "no replica of high priority may yield, but there are " + running());
        table();
        System.out.println("kubernetes: a service of 5 replicas preempted 3 of 4 workers; the job goes on with one, and "
                + workers("Pending") + " wait");

        client.resource(service(1)).update();
        until("all workers run again", () -> workers("Running").size() == 4);
        table();
        System.out.println("kubernetes: the service was scaled to 1, and " + workers("Running") + " run");
        check(
                run.events().stream().noneMatch(e -> e.toString().contains("RELAUNCH_LIMIT")),
                "a preempted worker spends nothing of its limit");
    }

    private static Deployment service(int replicas) {
        Map<String, String> labels = Map.of("app", "nginx");
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("test-nginx")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withPriorityClassName("high")
                .addNewContainer()
                .withName("nginx")
                .withImage("nginx:1.7.9")
                .withNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .addToRequests("memory", new Quantity("2048Mi"))
                .endResources()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private String service() {
        Map<String, Long> phases = client.pods().inNamespace("default").withLabel("app", "nginx").list().getItems().stream()
                .collect(Collectors.groupingBy((Pod pod) -> pod.getStatus().getPhase(), Collectors.counting()));
        return phases.entrySet().stream().map(e -> e.getValue() + " " + e.getKey()).collect(Collectors.joining(", "));
    }

    private List<String> running() {
        return run.status().replicas().stream()
                .filter(replica -> replica.status().equals("Running"))
                .map(WalkThrough::shortName)
                .toList();
    }

    private List<String> workers(String status) {
        return run.status().replicas().stream()
                .filter(replica -> replica.role().id().equals("worker") && replica.status().equals(status))
                .map(WalkThrough::shortName)
                .toList();
    }

    private static String shortName(ReplicaStatus replica) {
        return replica.name().replace("elasticdl-test-mnist-", "");
    }

    private void table() {
        System.out.println(run.status().table());
    }

    private void until(String what, BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!holds.getAsBoolean()) {
            JobStatus status = run.status();
            check(System.nanoTime() < end, "not within " + LIMIT.toSeconds() + " s: " + what + "; service: " + service() + "; " + status);
            Thread.sleep(20);
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            System.err.println("kubernetes: FAILED: " + message);
            System.exit(1);
        }
    }
}
