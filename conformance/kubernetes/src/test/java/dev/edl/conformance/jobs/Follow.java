package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.LogLine;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks two jobs of one name in two namespaces. Their logs are followed from before the pods exist, over relaunches, a
 * suspension and another driver, to the end.
 */
@OnCluster("--nodes 3")
class Follow {
    private static final String A = "edl-follow-a";
    private static final String B = "edl-follow-b";
    /** EDL's own notes within a log. */
    private static final List<String> NOTES = List.of("replaces ", "was relaunched");

    private final KubernetesClient client;

    private Follow(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void logs_are_followed_over_relaunches() throws Exception {
        Path kubeconfig = Path.of(System.getenv("KUBECONFIG"));
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, A, true);
            Checks.namespace(client, B, true);
            new Follow(client).follow(kubeconfig);
            client.namespaces().withName(A).delete();
            client.namespaces().withName(B).delete();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    /** Each replica prints a counter, and a line on SIGTERM; a file ends it with success. */
    private static Job job(String namespace) {
        return Job.named("mnist")
                .namespace(namespace)
                .image("edl.local/busybox:1")
                .command(
                        "sh",
                        "-c",
                        "trap 'echo told to go; exit 143' TERM; i=0; while [ ! -e /tmp/go ]; do echo $i; i=$((i + 1)); sleep 0.1;"
                                + " done; echo done")
                .request("cpu=100m,memory=16Mi")
                .master()
                .ps(1)
                .workers(2, workers -> workers.elastic(1, 4))
                .build();
    }

    private void follow(Path kubeconfig) throws InterruptedException {
        PodOptions options = PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(30L)
                        .endSpec()
                        .build())
                .build();
        List<JobEvent> events = new CopyOnWriteArrayList<>();
        List<LogLine> worker = new CopyOnWriteArrayList<>();
        List<LogLine> server = new CopyOnWriteArrayList<>();
        List<LogLine> master = new CopyOnWriteArrayList<>();
        String context = client.getConfiguration().getCurrentContext().getName();
        try (KubernetesExecutor first = KubernetesExecutor.builder()
                .kubeconfig(kubeconfig, context)
                .options(options)
                .build()) {
            KubernetesRun a = first.submit(job(A), events::add);
            LogFollower workers = a.logs("worker-0", worker::add);
            LogFollower servers = a.logs("ps", 0, server::add);
            KubernetesRun b = first.submit(job(B));
            LogFollower masters = b.logs("master", master::add);
            until(
                    "both jobs run and their replicas write",
                    b,
                    () -> running(a, 4)
                            && running(b, 4)
                            && has(worker, "[worker-0] 5")
                            && has(server, "[ps-0] 5")
                            && has(master, "[master] 5"));
            List<JobEvent> heard = List.copyOf(events);
            Checks.check(
                    heard.equals(a.events().subList(0, heard.size()))
                            && events.get(0).toString().endsWith("created elasticdl-mnist-master"),
                    "the listener given at submit heard the first event, but heard first " + events.get(0));
            System.out.println(
                    "kubernetes: an executor of a kubeconfig's context runs two jobs of one name in two namespaces,"
                            + " and a listener given at submit heard the first event");

            client.pods().inNamespace(A).withName("elasticdl-mnist-worker-0").delete();
            until("worker-2 goes on", a, () -> has(worker, "[worker-2] 5"));
            check(
                    worker,
                    List.of(
                            "[worker-0] 0..",
                            "[worker-0] told to go",
                            "[worker-2] -- replaces worker-0",
                            "[worker-2] 0.."));
            client.pods().inNamespace(A).withName("elasticdl-mnist-ps-0").delete();
            until(
                    "ps-0 goes on",
                    a,
                    () -> server.stream()
                                    .filter(line -> line.text().equals("5"))
                                    .count()
                            == 2);
            check(server, List.of("[ps-0] 0..", "[ps-0] told to go", "[ps-0] -- was relaunched", "[ps-0] 0.."));
            System.out.println(
                    "kubernetes: the log of a worker, and of a server, went on under the next driver, each line once");

            a.suspend();
            until(
                    "nothing of the suspended job runs",
                    a,
                    () -> a.status().phase() == JobPhase.SUSPENDED && pods(A).isEmpty());
            Checks.check(
                    !client.services().inNamespace(A).list().getItems().isEmpty(),
                    "a suspended job keeps its services");
            try (KubernetesExecutor second = KubernetesExecutor.using(client, options)) {
                KubernetesRun taken = second.attach(A, "mnist");
                Checks.check(taken.status().phase() == JobPhase.SUSPENDED, "a suspended job stays so, but is " + taken);
                taken.resume();
                Checks.check(workers.awaitEnd(Checks.LIMIT), "a driver that has lost its job ends its log followers");
                worker.clear();
                LogFollower resumed = taken.logs("worker", 0, worker::add);
                until("the resumed job runs", taken, () -> running(taken, 4) && has(worker, "[worker-4] 5"));
                Checks.check(
                        pods(A).equals(Set.of("master", "ps-0", "worker-3", "worker-4")),
                        "a resumed job has its numbers and the next ids, but has " + pods(A));
                System.out.println(
                        "kubernetes: a job was suspended, stayed suspended under another driver, and was resumed as "
                                + pods(A));

                go(A);
                Checks.check(
                        taken.await(Checks.LIMIT).phase() == JobPhase.SUCCEEDED, "the job succeeds, but is " + taken);
                Checks.check(resumed.awaitEnd(Checks.LIMIT), "a log ends with its job");
                Checks.check(has(worker, "[worker-4] told to go"), "the last lines are read, but there are " + worker);
            }
            servers.close();
            Checks.check(running(b, 4) && b.events().size() < 20, "the other job notices nothing, but " + b.events());
            go(B);
            b.await(Checks.LIMIT);
            Checks.check(masters.awaitEnd(Checks.LIMIT), "a log ends with its job");
            check(master, List.of("[master] 0..", "[master] done"));
            List<LogLine> last = b.log("master", 2);
            Checks.check(
                    last.size() == 2 && last.get(1).toString().equals("[master] done"),
                    "the last lines of a log were " + last);
            System.out.println("kubernetes: a log ended with its job, and its last lines can be read after the end");
        }
    }

    private boolean running(KubernetesRun run, int replicas) {
        return run.status().replicas().stream()
                        .filter(r -> r.status().equals("Running"))
                        .count()
                == replicas;
    }

    private Set<String> pods(String namespace) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName().replace("elasticdl-mnist-", ""))
                .collect(Collectors.toCollection(java.util.TreeSet::new));
    }

    private void go(String namespace) {
        client.pods()
                .inNamespace(namespace)
                .withName("elasticdl-mnist-master")
                .writingOutput(System.out)
                .exec("touch", "/tmp/go")
                .close();
    }

    private static boolean has(List<LogLine> lines, String text) {
        return lines.stream().anyMatch(line -> line.toString().equals(text));
    }

    /** Checks that numbers are consecutive; expected values give the first of them and two dots. */
    private static void check(List<LogLine> lines, List<String> expected) {
        StringBuilder said = new StringBuilder();
        int next = 0;
        for (LogLine line : lines) {
            // Otherwise it is from the kubelet, which reads a log while it removes the file or the container.
            if (line.note() && NOTES.stream().noneMatch(line.text()::startsWith)) {
                continue;
            }
            String text = line.text().matches("[0-9]+") ? line.text().equals("0") ? "0.." : null : line.text();
            if (text != null) {
                said.append(new LogLine(line.job(), line.replica(), text, line.note()))
                        .append('\n');
                next = 1;
            } else {
                Checks.check(
                        line.text().equals(Integer.toString(next)),
                        "each line comes once, but behind " + (next - 1) + " came " + line);
                next++;
            }
        }
        Checks.check(said.toString().lines().toList().equals(expected), "expected " + expected + ", was\n" + said);
    }

    private static void until(String what, KubernetesRun run, BooleanSupplier holds) throws InterruptedException {
        Checks.until(what, () -> run + "\n" + run.events(), holds);
    }
}
