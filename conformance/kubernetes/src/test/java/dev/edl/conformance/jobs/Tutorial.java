package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.Priority;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * ElasticDL's tutorial on fault tolerance and elastic scheduling, on nodes with room for nine of its pods.
 * kubectl and the job's handle must print each table of the tutorial, except for ages and random names.
 *
 * <p>In the tutorial, replacements are created a second after the preemption. EDL creates them when the deletion is
 * marked, so its second table has them already; the rest must be equal.
 */
final class Tutorial {
    private static final String HIGH = """
            elasticdl-test-mnist-master 1/1 Running 0
            elasticdl-test-mnist-ps-0 1/1 Running 0
            elasticdl-test-mnist-ps-1 1/1 Running 0
            """;
    private static final String STARTED = HIGH + """
            elasticdl-test-mnist-worker-0 1/1 Running 0
            elasticdl-test-mnist-worker-1 1/1 Running 0
            elasticdl-test-mnist-worker-2 1/1 Running 0
            elasticdl-test-mnist-worker-3 1/1 Running 0
            """;
    private static final String RELAUNCHED = HIGH + """
            elasticdl-test-mnist-worker-1 1/1 Running 0
            elasticdl-test-mnist-worker-2 1/1 Running 0
            elasticdl-test-mnist-worker-3 1/1 Running 0
            elasticdl-test-mnist-worker-4 1/1 Running 0
            """;
    private static final String PREEMPTED = HIGH + """
            elasticdl-test-mnist-worker-0 1/1 Running 0
            elasticdl-test-mnist-worker-1 1/1 Terminating 0
            elasticdl-test-mnist-worker-2 1/1 Terminating 0
            elasticdl-test-mnist-worker-3 1/1 Terminating 0
            """;
    private static final String WAITING = """
            elasticdl-test-mnist-worker-4 0/1 Pending 0
            elasticdl-test-mnist-worker-5 0/1 Pending 0
            elasticdl-test-mnist-worker-6 0/1 Pending 0
            """;
    private static final String YIELDED = HIGH + "elasticdl-test-mnist-worker-0 1/1 Running 0\n" + WAITING;
    private static final String TAKEN_OVER = YIELDED.replace("0/1 Pending", "1/1 Running");
    private static final Pattern STAYS = Pattern.compile("-(worker-[0-3]) +1/1 +Running ");
    private static final String SERVES = "test-nginx-* 1/1 Running 0\n";
    private static final String WAITS = "test-nginx-* 0/1 Pending 0\n";

    /**
     * Start time of KWOK's pods, and their full grace period: by default KWOK draws both at random, up to ten seconds
     * and more.
     */
    static final Map<String, String> PACE = Map.of(
            "pod-create.stage.kwok.x-k8s.io/delay", "100ms",
            "pod-create.stage.kwok.x-k8s.io/jitter-delay", "100ms",
            "pod-ready.stage.kwok.x-k8s.io/delay", "100ms",
            "pod-ready.stage.kwok.x-k8s.io/jitter-delay", "100ms",
            "pod-delete.stage.kwok.x-k8s.io/delay", "1h");

    private final KubernetesClient client;
    private final String namespace;
    private final String image;
    private final String size;
    /** The worker that is not preempted: mostly the oldest, as the scheduler chooses. */
    private String spared = "worker-0";

    private final PodOptions options = PodOptions.builder()
            .priorityClass("high", 1_000_000)
            .priorityClass("low", 1000)
            .runAsUser(1000)
            // A preempted pod continues for this long, so that the second table can be observed.
            .pod(pod -> pod.edit()
                    .editMetadata()
                    .addToAnnotations(PACE)
                    .endMetadata()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(10L)
                    .endSpec()
                    .build())
            .build();

    /** Takes the size of each pod, of which three fit a node and four do not. */
    Tutorial(KubernetesClient client, String namespace, String image, String size) {
        this.client = client;
        this.namespace = namespace;
        this.image = image;
        this.size = size;
    }

    /** Runs both parts. */
    void walk() throws Exception {
        Checks.namespace(client, namespace, false);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            faultTolerance(executor);
            executor.delete(namespace, "test-mnist");
            Checks.until("nothing of the first job is left", this::printed, () -> pods().isEmpty());
            elasticScheduling(executor);
        }
        client.namespaces().withName(namespace).delete();
    }

    private void faultTolerance(KubernetesExecutor executor) throws Exception {
        try (KubernetesRun run = executor.submit(job(4))) {
            table(run, "seven replicas run", STARTED, "");
            client.pods()
                    .inNamespace(namespace)
                    .withName("elasticdl-test-mnist-worker-0")
                    .delete();
            table(run, "worker-4 takes over", RELAUNCHED, "");
            System.out.println("kubernetes: worker-0 was deleted, and worker-4 runs; the table is the tutorial's");
        }
    }

    private void elasticScheduling(KubernetesExecutor executor) throws Exception {
        try (KubernetesRun run = executor.submit(job(1))) {
            // The scheduler preempts the youngest, in whole seconds; among the others its choice is random.
            Checks.until("worker-0 runs", this::printed, () -> running(run).contains("elasticdl-test-mnist-worker-0"));
            Instant started = Instant.parse(client.pods()
                    .inNamespace(namespace)
                    .withName("elasticdl-test-mnist-worker-0")
                    .get()
                    .getStatus()
                    .getStartTime());
            Checks.until(
                    "a second has passed", Instant::now, () -> Instant.now().isAfter(started.plusSeconds(2)));
            run.scale("worker", 4);
            table(run, "seven replicas run", STARTED, "");

            client.resource(service(5)).create();
            table(run, "three workers are preempted", PREEMPTED, SERVES.repeat(2) + WAITS.repeat(3));
            table(run, "their replacements wait", YIELDED, SERVES.repeat(5));
            System.out.println(
                    "kubernetes: a service of 5 replicas preempted 3 of 4 workers, the job runs with one, and 3 wait; the tables are"
                            + " the tutorial's");
            run.events().stream().filter(e -> e.toString().contains("worker-1")).forEach(System.out::println);

            client.resource(service(1)).update();
            table(run, "all workers run again", TAKEN_OVER, SERVES);
            System.out.println(
                    "kubernetes: the service was scaled to 1, and 4 workers run; the table is the tutorial's");
            Checks.check(
                    run.events().stream().noneMatch(e -> e.toString().contains("RELAUNCH_LIMIT")),
                    "a preempted worker spends nothing of its limit");
        }
    }

    private Job job(int workers) {
        return Job.named("test-mnist")
                .namespace(namespace)
                .image(image)
                .command("sh", "-c", "trap 'sleep 8; exit 143' TERM; while true; do sleep 0.1; done")
                .request(size)
                .master()
                .priority(Priority.HIGH)
                .ps(2)
                .priority(Priority.HIGH)
                .workers(workers, w -> w.priority(Priority.LOW).elastic(1, 4))
                .build();
    }

    private Deployment service(int replicas) {
        Map<String, String> labels = Map.of("app", "nginx");
        Map<String, Quantity> request = Arrays.stream(size.split(","))
                .map(entry -> entry.split("="))
                .collect(Collectors.toMap(entry -> entry[0], entry -> new Quantity(entry[1])));
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("test-nginx")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .withAnnotations(PACE)
                .endMetadata()
                .withNewSpec()
                .withPriorityClassName("high")
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("nginx")
                .withImage(image)
                .withCommand("sh", "-c", "trap exit TERM; while true; do sleep 0.1; done")
                .withNewResources()
                .withRequests(request)
                .endResources()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /** Waits until kubectl prints these rows, and the job's handle those of the job; replacements may appear early. */
    private void table(KubernetesRun run, String what, String job, String service) throws InterruptedException {
        String both = job + service;
        BooleanSupplier equal = () -> {
            String[] seen = {"", ""};
            seen[0] = printed();
            if (job.equals(PREEMPTED)) {
                Matcher stays = STAYS.matcher(seen[0]);
                spared = stays.find() ? stays.group(1) : spared;
            }
            boolean holds = both.equals(rows(asOldest(seen[0]), job))
                    && job.equals(rows(asOldest(run.status().table()), job));
            if (holds) {
                System.out.println(what + ":\n" + seen[0]);
            }
            return holds;
        };
        Checks.until(
                what,
                () -> printed() + "\n" + run.status() + "\nexpected, but for ages and names that are drawn:\n" + both,
                equal);
    }

    /** Returns the table with the names of the spared worker and worker-0 swapped. */
    private String asOldest(String table) {
        return table.replace("-worker-0 ", "-worker-? ")
                .replace("-" + spared + " ", "-worker-0 ")
                .replace("-worker-? ", "-" + spared + " ");
    }

    private static String rows(String table, String job) {
        return table.lines()
                .skip(1)
                .map(line -> line.replaceFirst("\\s+\\S+$", "")
                        .replaceAll("\\s+", " ")
                        .replaceFirst("^test-nginx-[0-9a-z]+-[0-9a-z]+", "test-nginx-*"))
                .filter(line -> !line.isBlank() && (!job.equals(PREEMPTED) || !WAITING.contains(line + "\n")))
                // Sorts running pods first where the names are random.
                .sorted(Comparator.comparing((String line) -> line.replaceFirst(" .*", ""))
                        .thenComparing(line -> line.contains("Pending")))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private String printed() {
        try {
            Process kubectl = new ProcessBuilder("kubectl", "get", "pods", "-n", namespace)
                    .redirectErrorStream(true)
                    .start();
            return new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    private static List<String> running(KubernetesRun run) {
        return run.status().replicas().stream()
                .filter(replica -> replica.status().equals("Running"))
                .map(replica -> replica.name())
                .toList();
    }
}
