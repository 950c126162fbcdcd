package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks a node drain, and the end and restart of another node's kubelet. Each replica writes its own file into one
 * folder of the machine, which shows the live processes independently of the cluster's state.
 */
@OnCluster(value = "--nodes 3", alone = true)
class NodeFaults {
    private static final String NAMESPACE = "edl-nodes";

    private final KubernetesClient client;
    private final Path cluster;
    private final Path beats;

    private NodeFaults(KubernetesClient client, Path cluster, Path beats) {
        this.client = client;
        this.cluster = cluster;
        this.beats = beats;
    }

    @Test
    void a_job_outlives_the_loss_of_nodes() throws Exception {
        Path beats = Files.createTempDirectory(
                "edl-beats", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxrwx")));
        Files.setPosixFilePermissions(beats, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            new NodeFaults(client, Path.of(Cluster.scripts()), beats).run();
        } finally {
            try (Stream<Path> files = Files.list(beats)) {
                files.toList().forEach(file -> file.toFile().delete());
            }
            Files.delete(beats);
        }
    }

    private void run() throws Exception {
        // By default, Kubernetes keeps pods for five minutes on an unreachable node.
        List<Toleration> brief = Stream.of("not-ready", "unreachable")
                .map(taint -> new TolerationBuilder()
                        .withKey("node.kubernetes.io/" + taint)
                        .withOperator("Exists")
                        .withEffect("NoExecute")
                        .withTolerationSeconds(2L)
                        .build())
                .toList();
        PodOptions options = PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .addAllToTolerations(brief)
                        .endSpec()
                        .build())
                .build();
        String beat = "trap 'exit 143' TERM; me=/beats/$HOSTNAME.$(cat /proc/sys/kernel/random/uuid);"
                + " while true; do date > $me; sleep 0.2; done";
        Job job = Job.named("mnist")
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .command("sh", "-c", beat)
                // A node has room for three of its pods, so each node has some.
                .request("cpu=" + third() + "m,memory=16Mi")
                .volume("host_path=" + beats + ",mount_path=/beats")
                .master(all -> {})
                .ps(2, all -> {})
                .workers(3, all -> {})
                .build();
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                KubernetesRun run = executor.submit(job)) {
            running(run, Set.of("master", "ps-0", "ps-1", "worker-0", "worker-1", "worker-2"));
            drain(run);
            silence(run);
            executor.delete(NAMESPACE, "mnist");
            Checks.until("all processes end", this::live, () -> live().isEmpty());
        }
    }

    private int third() {
        Node node = client.nodes().withName("node-1").get();
        return node.getStatus().getAllocatable().get("cpu").getNumericalAmount().intValue() * 300;
    }

    private void drain(KubernetesRun run) throws Exception {
        String node = node("worker-0");
        command("kubectl", "drain", node, "--timeout=60s");
        said(run, 0, "elasticdl-mnist-worker-0 was deleted: EvictionByEvictionAPI: Eviction API: evicting");
        Checks.until("all replicas run elsewhere", run::toString, () -> allRun(run) && on(node).isEmpty());
        command("kubectl", "uncordon", node);
        System.out.println(
                "kubernetes: a node was drained, and its replicas run elsewhere: elasticdl-mnist-worker-0 was deleted:"
                        + " EvictionByEvictionAPI: Eviction API: evicting");
    }

    private void silence(KubernetesRun run) throws Exception {
        String node = node("ps-1");
        Set<String> lost = on(node);
        int before = run.events().size();
        Instant began = Instant.now();
        command(cluster.resolve("signal").toString(), node.replace("node", "kubelet"), "KILL");
        String deleted = said(run, before, "elasticdl-mnist-ps-1 was deleted");
        Checks.check(
                deleted.equals(
                        "elasticdl-mnist-ps-1 was deleted: DeletionByTaintManager: Taint manager: deleting due to NoExecute taint"),
                "the deletion must be told with its reason, but: " + deleted);
        long noticed = Duration.between(began, Instant.now()).toSeconds();
        String blocked = said(
                run,
                before,
                "elasticdl-mnist-ps-1 cannot be relaunched: its old object still exists 1m after the grace period;"
                        + " force-deleting it");
        Checks.until(
                "all replicas run on the other nodes",
                run::toString,
                () -> allRun(run) && !node("ps-1").equals(node));
        long gone = Duration.between(began, Instant.now()).toSeconds();
        System.out.println("kubernetes: the kubelet of " + lost + " was ended, which the cluster noticed after "
                + noticed + " s; all replicas ran again elsewhere after " + gone + " s: " + blocked);

        // The node's old process still runs, unknown to the API server. It ends once the node reports again.
        Checks.until(
                "the new process of ps-1 lives beside the old one",
                this::live,
                () -> live().stream()
                                .filter(name -> name.startsWith("elasticdl-mnist-ps-1."))
                                .count()
                        == 2);
        command(cluster.resolve("start").toString(), node.replace("node", "kubelet"));
        Checks.until(
                "one process of each replica lives",
                this::live,
                () -> live().stream()
                        .map(name -> name.replaceFirst("\\..*", ""))
                        .sorted()
                        .toList()
                        .equals(names(run).stream()
                                .map(name -> "elasticdl-mnist-" + name)
                                .sorted()
                                .toList()));
        System.out.println("kubernetes: the node came back, and one process of each replica is left");
    }

    /** Returns the processes that have written recently. */
    private Set<String> live() {
        try (Stream<Path> files = Files.list(beats)) {
            Set<String> names = new TreeSet<>();
            for (Path file : files.toList()) {
                if (Files.getLastModifiedTime(file)
                        .toInstant()
                        .isAfter(Instant.now().minusSeconds(3))) {
                    names.add(file.getFileName().toString());
                }
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Set<String> on(String node) {
        Set<String> names = new TreeSet<>();
        for (Pod pod : client.pods().inNamespace(NAMESPACE).list().getItems()) {
            if (node.equals(pod.getSpec().getNodeName())) {
                names.add(pod.getMetadata().getName());
            }
        }
        return names;
    }

    private String node(String replica) {
        Pod pod = client.pods()
                .inNamespace(NAMESPACE)
                .withName("elasticdl-mnist-" + replica)
                .get();
        return pod == null || pod.getSpec().getNodeName() == null
                ? ""
                : pod.getSpec().getNodeName();
    }

    private static Set<String> names(KubernetesRun run) {
        Set<String> names = new TreeSet<>();
        run.status().replicas().stream()
                .filter(r -> r.status().equals("Running"))
                .forEach(r -> names.add(r.name().replace("elasticdl-mnist-", "")));
        return names;
    }

    private static long workers(KubernetesRun run) {
        return names(run).stream().filter(name -> name.startsWith("worker")).count();
    }

    private static boolean allRun(KubernetesRun run) {
        return workers(run) == 3 && names(run).containsAll(Set.of("master", "ps-0", "ps-1"));
    }

    private static void running(KubernetesRun run, Set<String> replicas) throws InterruptedException {
        Checks.until("there run " + replicas, () -> run, () -> names(run).equals(replicas));
    }

    /** Waits until the job has emitted an event with this prefix, after a number of other events. */
    private static String said(KubernetesRun run, int after, String start) throws InterruptedException {
        Supplier<Optional<String>> said = () -> run.events().stream()
                .skip(after)
                .map(event -> event.message())
                .filter(message -> message.startsWith(start))
                .findFirst();
        // One of them is emitted a minute after the end of the grace period.
        Checks.until(
                "an event begins with \"" + start + "\"",
                Duration.ofMinutes(4),
                () -> run + "\n" + run.events(),
                () -> said.get().isPresent());
        return said.get().orElseThrow();
    }

    private static void command(String... words) throws Exception {
        Process process = new ProcessBuilder(words).inheritIO().start();
        Checks.check(process.waitFor() == 0, String.join(" ", words) + " ended with " + process.exitValue());
    }
}
