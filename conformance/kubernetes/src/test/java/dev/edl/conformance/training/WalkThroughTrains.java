package dev.edl.conformance.training;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.conformance.images.RuntimeImage;
import dev.edl.examples.WorkerPauseFile;
import dev.edl.examples.pods.TrainInPods;
import dev.edl.image.ClaimedProgram;
import dev.edl.image.ClassPathClaim;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.program.ProgramClassPath;
import dev.edl.runtime.Progress;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.spec.Priority;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Checks ElasticDL's tutorial with pods that train: two parameter servers, a master and four workers on a volume of
 * RecordIO files. A worker is deleted; a service of high priority preempts three workers, and later releases their
 * room. The master is killed by signal 9, a server's pod is deleted by force, and the node of both servers is drained.
 */
@OnCluster(value = "--nodes 3", alone = true)
class WalkThroughTrains {
    private static final String NAMESPACE = "edl-trains";
    private static final int RECORDS = 60_000;
    /**
     * Shares of the training after which the data are held back until the change has been observed. The log has a
     * share seconds late on a busy machine, so a third of the training is left after the last.
     */
    private static final double DELETED = 0.1;

    private static final double PREEMPTED = 0.2;
    private static final double GIVEN_BACK = 0.3;
    private static final double MASTER_KILLED = 0.4;
    private static final double SERVER_DELETED = 0.5;
    private static final double DRAINED = 0.6;
    private static final double SEEN = 0.7;

    private static final Duration TRAINED = Duration.ofSeconds(200);
    private static final Duration FETCHED = Duration.ofSeconds(30);

    @Test
    void the_tutorial_trains_in_pods() throws Exception {
        Path folder = Files.createTempDirectory("edl-trains-");
        Path classes = Files.createTempDirectory("edl-classes-");
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            RepeatedDigits.write(folder, RECORDS);
            WorkerPauseFile held = new WorkerPauseFile(
                    folder.resolve(HeldMnist.HOLDS),
                    DELETED,
                    PREEMPTED,
                    GIVEN_BACK,
                    MASTER_KILLED,
                    SERVER_DELETED,
                    DRAINED,
                    SEEN);
            MnistPods.open(folder);
            RuntimeImage.load();
            fiveMinutes(classes);
            Checks.namespace(client, NAMESPACE, true);
            Checks.volume(folder, NAMESPACE, "fileserver");
            Checks.volume(classes, NAMESPACE, "classes");
            ClaimedProgram program = ClassPathClaim.of(client, NAMESPACE, "classes-claim")
                    .upload(ProgramClassPath.of(HeldMnist.class), RuntimeImage.NAME);
            System.out.println("kubernetes: " + program.sentBytes() + " bytes went onto the claim");
            PodOptions options = PodOptions.builder()
                    .priorityClass("high", 1_000_000)
                    .priorityClass("low", 1000)
                    .runAsUser(1000)
                    .role("ps", ps -> ps.pod(WalkThroughTrains::together))
                    .build();
            Job job = job(program, Checks.size(client, "256Mi"));
            try (KubernetesExecutor executor = KubernetesExecutor.using(client, options);
                    KubernetesRun run = executor.submit(job);
                    MasterLog training = MasterLog.of(job.name());
                    LogFollower log = run.logs("master", training)) {
                training.onTraining(held::heard);
                run.onEvent(event -> System.out.println("  " + event));
                walk(client, run, training, job, held);
                masterKilled(client, run, held);
                serverDeleted(client, run, held);
                drained(client, run, held);
                held.goOn(1);
                run.awaitSuccess(TRAINED);
                Checks.check(log.awaitEnd(Duration.ofSeconds(30)), "the master's log must end");
                MnistPods.ended(training, NAMESPACE, "elasticdl-test-mnist-master", RECORDS);
                fetched(run, folder);
            }
            try (KubernetesExecutor later = KubernetesExecutor.using(client, options);
                    KubernetesRun run = later.attach(NAMESPACE, job.name())) {
                fetched(run, folder);
                refused(run);
                System.out.println("kubernetes: the model is read from the volume, also by a program that attaches");
            }
        } finally {
            MnistPods.remove(folder);
            MnistPods.remove(classes);
        }
    }

    /** Does as the first section of docs/cluster.md: creates its claim, and runs its program. */
    private static void fiveMinutes(Path classes) throws Exception {
        MnistPods.open(classes);
        Checks.volume(classes, "edl-classes");
        String page = Files.readString(Path.of(Cluster.scripts(), "../../docs/cluster.md"));
        Kubectl.run("apply", "-f", Checks.file(page.split("```yaml\n", 2)[1].split("```", 2)[0]));
        long began = System.nanoTime();
        TrainInPods.main(new String[0]);
        System.out.println("kubernetes: the page's first program trained in pods within "
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + " s");
        Supplier<String> left = () -> Kubectl.run("get", "pods", "--namespace", "default", "-o", "name");
        Checks.until("no pods are left", left, () -> left.get().isBlank());
    }

    private static void walk(
            KubernetesClient client, KubernetesRun run, MasterLog training, Job job, WorkerPauseFile held)
            throws InterruptedException {
        running(run, 4);
        grep("worker-0", "Loss");
        grep("master", "Evaluation");
        System.out.println("kubernetes: all replicas run, a worker logs its loss and the master its evaluations");

        for (Pod pod : client.pods().inNamespace(NAMESPACE).list().getItems()) {
            Checks.check(
                    pod.getSpec().getContainers().get(0).getEnv().contains(new EnvVar("EDL_TLS", "token", null)),
                    pod.getMetadata().getName() + " must use TLS");
        }
        System.out.println("kubernetes: connections use TLS");

        deaf(run, "master", 50001);
        deaf(run, "ps-0", 2222);
        System.out.println("kubernetes: master and server do not listen on their pod's loopback address");

        Kubectl.run("delete", "pod", "--namespace", NAMESPACE, "--wait=false", "elasticdl-test-mnist-worker-0");
        Checks.until("worker-4 takes over", run::toString, () -> isRunning(run, "worker-4"));
        joined(run, held, 5);
        held.goOn(DELETED);
        grep("worker-4", "Loss");
        System.out.println("kubernetes: worker-0 was deleted, and worker-4 trains");

        Checks.until("a fifth of it is trained", training::toString, () -> held.reached(PREEMPTED));
        service(job, 5);
        Checks.until("three workers are preempted", run::toString, () -> workers(run) == 1 && serving() == 5);
        long before = records(training);
        held.goOn(PREEMPTED);
        Checks.until("one worker trains on", training::toString, () -> records(training) > before);
        Checks.until("it trains on", training::toString, () -> held.reached(GIVEN_BACK));
        System.out.println("kubernetes: a service of 5 preempted 3 of 4 workers, and the job trains with one");

        service(job, 1);
        running(run, 4);
        joined(run, held, 8);
        held.goOn(GIVEN_BACK);
        String last = run.status().replicas().stream()
                .map(replica -> replica.name())
                .filter(name -> name.contains("worker"))
                .max(Comparator.comparing((String name) -> Integer.parseInt(name.replaceAll(".*-", ""))))
                .orElseThrow();
        grep(last.replace("elasticdl-test-mnist-", ""), "Loss");
        System.out.println("kubernetes: the service was scaled to 1, and 4 workers train");
    }

    /** Does to the master what the kernel does when memory runs out. */
    private static void masterKilled(KubernetesClient client, KubernetesRun run, WorkerPauseFile held)
            throws Exception {
        reached(run, held, MASTER_KILLED);
        List<Pod> before = List.of(pod(client, "master"), pod(client, "ps-0"), pod(client, "ps-1"));
        long pid = MnistPods.pid("elasticdl-test-mnist-master").orElseThrow();
        held.goOn(MASTER_KILLED);
        Checks.command("kill", "-KILL", Long.toString(pid));
        replaced(client, run, "master", before.get(0));
        Checks.check(
                run.events().stream()
                        .anyMatch(event ->
                                event.message().startsWith("elasticdl-test-mnist-master failed: exit code 137")),
                "the master must have failed with 137, but " + run.events());
        reached(run, held, SERVER_DELETED);
        for (int server = 0; server < 2; server++) {
            Checks.check(
                    uid(pod(client, "ps-" + server)).equals(uid(before.get(1 + server))),
                    "ps-" + server + " must stay, but " + run.events());
        }
        System.out.println(
                "kubernetes: the master was killed by signal 9, its successor leads, and the servers stayed");
    }

    private static void serverDeleted(KubernetesClient client, KubernetesRun run, WorkerPauseFile held)
            throws Exception {
        Pod before = pod(client, "ps-0");
        held.goOn(SERVER_DELETED);
        Kubectl.run(
                "delete", "pod", "--namespace", NAMESPACE, "--grace-period=0", "--force", "elasticdl-test-mnist-ps-0");
        replaced(client, run, "ps-0", before);
        reached(run, held, DRAINED);
        System.out.println("kubernetes: the pod of ps-0 was deleted by force, and its successor serves");
    }

    /**
     * Drains the servers' node. Data are held until it has, or the training could end before without successors. Fewer
     * pods fit the other nodes, so the servers preempt workers until the node is back.
     */
    private static void drained(KubernetesClient client, KubernetesRun run, WorkerPauseFile held) throws Exception {
        List<Pod> before = List.of(pod(client, "ps-0"), pod(client, "ps-1"));
        String node = before.get(0).getSpec().getNodeName();
        Checks.check(
                node.equals(before.get(1).getSpec().getNodeName()), "both servers must be on one node, but " + run);
        Kubectl.run("drain", node, "--timeout=60s");
        held.goOn(DRAINED);
        for (int server = 0; server < 2; server++) {
            Pod successor = replaced(client, run, "ps-" + server, before.get(server));
            Checks.check(!successor.getSpec().getNodeName().equals(node), "ps-" + server + " must move");
        }
        reached(run, held, SEEN);
        Kubectl.run("uncordon", node);
        System.out.println("kubernetes: " + node + " was drained of both servers, which serve elsewhere");
    }

    private static void reached(KubernetesRun run, WorkerPauseFile held, double point) throws InterruptedException {
        Checks.until("the training has reached " + point, () -> run + "\n" + run.events(), () -> held.reached(point));
    }

    private static Pod pod(KubernetesClient client, String replica) {
        return client.pods()
                .inNamespace(NAMESPACE)
                .withName("elasticdl-test-mnist-" + replica)
                .get();
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    /** Waits for the successor of a pod, and returns it once it runs. */
    private static Pod replaced(KubernetesClient client, KubernetesRun run, String replica, Pod before)
            throws InterruptedException {
        AtomicReference<Pod> successor = new AtomicReference<>();
        Checks.until("a successor of " + replica + " runs", () -> run + "\n" + run.events(), () -> {
            Pod pod = pod(client, replica);
            successor.set(pod);
            return pod != null
                    && !uid(pod).equals(uid(before))
                    && pod.getStatus().getPhase().equals("Running");
        });
        return Objects.requireNonNull(successor.get(), replica);
    }

    /** Prefers one node for the servers. */
    private static PodTemplateSpec together(PodTemplateSpec pod) {
        Map<String, String> labels = new TreeMap<>(pod.getMetadata().getLabels());
        labels.keySet().removeIf(label -> label.contains("index"));
        return pod.edit()
                .editSpec()
                .withNewAffinity()
                .withNewPodAffinity()
                .addNewPreferredDuringSchedulingIgnoredDuringExecution()
                .withWeight(100)
                .withNewPodAffinityTerm()
                .withTopologyKey("kubernetes.io/hostname")
                .withNewLabelSelector()
                .addToMatchLabels(labels)
                .endLabelSelector()
                .endPodAffinityTerm()
                .endPreferredDuringSchedulingIgnoredDuringExecution()
                .endPodAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    /** A forwarded port ends at the pod's loopback address. */
    private static void deaf(KubernetesRun run, String replica, int port) throws InterruptedException {
        try (ByteChannel channel = run.connect(replica, port)) {
            int read = channel.read(ByteBuffer.allocate(1));
            Checks.check(read < 0, replica + " must not answer on its loopback address, but sent a byte");
        } catch (IOException refused) {
            System.out.println("  " + replica + ": " + refused.getMessage());
        }
    }

    /** Checks that the model fetched by the submitter equals that of the volume. */
    private static void fetched(KubernetesRun run, Path folder) throws Exception {
        byte[] written = Files.readAllBytes(folder.resolve("model.npz"));
        Checks.check(written.length > 0, "the volume must have the model");
        Checks.check(
                Arrays.equals(run.read("/data/model.npz", FETCHED), written),
                "the model that was read must be the volume's");
        Path copy = Files.createTempFile("edl-model-", ".npz");
        run.read("/data/model.npz", FETCHED, copy);
        Checks.check(Files.mismatch(copy, folder.resolve("model.npz")) < 0, "the copy must be the volume's model");
        Files.delete(copy);
        noReader();
    }

    private static void refused(KubernetesRun run) throws Exception {
        for (String path : List.of("/data/none.npz", "/data/mnist")) {
            try {
                run.read(path, FETCHED);
                Checks.check(false, path + " was read");
            } catch (IOException e) {
                System.out.println("  " + e);
                Checks.check(
                        e.toString().contains(path + " was not read: " + path), "the reason must be told, but is " + e);
            }
        }
        noReader();
    }

    private static void noReader() {
        String pods = Kubectl.run("get", "pods", "--namespace", NAMESPACE);
        Checks.check(!pods.contains("-reader-"), "no reader may be left, but there are\n" + pods);
    }

    private static Job job(ClaimedProgram program, String size) {
        return program.on(ProgramJobs.image(RuntimeImage.NAME, "/data"))
                .name("test-mnist")
                .namespace(NAMESPACE)
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .request(size)
                .master(master -> master.priority(Priority.HIGH))
                .ps(2, ps -> ps.priority(Priority.HIGH))
                .workers(4, workers -> workers.priority(Priority.LOW).elastic(1, 4))
                .build();
    }

    private static void service(Job job, int replicas) throws InterruptedException {
        String cpu = job.plan()
                .role("worker")
                .template()
                .requests()
                .orElseThrow()
                .amounts()
                .get("cpu");
        try {
            Kubectl.run("apply", "-f", Checks.file("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: test-nginx, namespace: %s}
                    spec:
                      replicas: %d
                      selector: {matchLabels: {app: nginx}}
                      template:
                        metadata: {labels: {app: nginx}}
                        spec:
                          priorityClassName: high
                          terminationGracePeriodSeconds: 1
                          securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
                          containers:
                          - name: nginx
                            image: edl.local/busybox:1
                            command: [sh, -c, "trap exit TERM; while true; do sleep 0.1; done"]
                            resources: {requests: {cpu: %s, memory: 256Mi}}
                            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                    """.formatted(NAMESPACE, replicas, cpu)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long serving() {
        return Kubectl.run("get", "pods", "--namespace", NAMESPACE, "-l", "app=nginx")
                .lines()
                .filter(line -> line.contains("Running"))
                .count();
    }

    private static void running(KubernetesRun run, int workers) throws InterruptedException {
        Checks.until(
                "seven replicas run",
                run::toString,
                () -> workers(run) == workers
                        && isRunning(run, "ps-0")
                        && isRunning(run, "ps-1")
                        && isRunning(run, "master"));
    }

    private static void joined(KubernetesRun run, WorkerPauseFile held, int workers) throws InterruptedException {
        Checks.until(workers + " workers have read data", run::toString, () -> held.joined(workers));
    }

    private static long workers(KubernetesRun run) {
        return run.status().replicas().stream()
                .filter(replica ->
                        replica.name().contains("-worker-") && replica.status().equals("Running"))
                .count();
    }

    private static boolean isRunning(KubernetesRun run, String replica) {
        return run.status().replicas().stream()
                .anyMatch(one ->
                        one.name().endsWith("-" + replica) && one.status().equals("Running"));
    }

    private static long records(MasterLog training) {
        return training.progress().map(Progress::recordsDone).orElse(0L);
    }

    /** Does what a person does by kubectl and grep. */
    private static void grep(String replica, String word) throws InterruptedException {
        String pod = "elasticdl-test-mnist-" + replica;
        Checks.until(
                "kubectl logs " + pod + " | grep " + word,
                () -> Kubectl.run("logs", "--namespace", NAMESPACE, pod),
                () -> Kubectl.run("logs", "--namespace", NAMESPACE, pod).contains(word));
    }
}
