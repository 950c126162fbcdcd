package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.conformance.preflight.PreflightCase;
import dev.edl.exec.LogLine;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.preflight.SubmitterRole;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import dev.edl.status.ReplicaStage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Checks workers on a node that is cordoned, gets the taint of a spot notice, or is drained. They get SIGTERM and
 * finish their task, other nodes run the rest, and each worker is replaced once. If all nodes leave, the job keeps its
 * minimum of workers. A Horovod job does it in et-operator's order.
 */
@OnCluster(value = "--nodes 3", alone = true)
class NodesLeave {
    private static final String NAMESPACE = "edl-nodes-leave";
    private static final List<String> NODES = List.of("node-1", "node-2", "node-3");
    private static final String SPOT = "aws-node-termination-handler/spot-itn";

    private final KubernetesClient client;

    NodesLeave(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void workers_leave_nodes_that_are_about_to_go() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            NodesLeave check = new NodesLeave(client);
            check.forbidden();
            check.workers();
            check.horovod();
            client.namespaces().withName(NAMESPACE).delete();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    /** Workers take a second to end after SIGTERM, and print it. Pods are spread, so that each node has some. */
    private Job job() {
        return Job.named("mnist")
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .request("cpu=100m,memory=16Mi")
                .command("sh", "-c", "trap 'exit 143' TERM; while true; do sleep 0.1; done")
                .master()
                .ps(1)
                .workers(
                        6,
                        workers -> workers.elastic(2, 8)
                                .command(
                                        "sh",
                                        "-c",
                                        "trap 'echo told to go; sleep 1; echo gone; exit 143' TERM; echo begun;"
                                                + " while true; do sleep 0.1; done"))
                .build();
    }

    private static PodOptions options() {
        return spread(PodOptions.builder().runAsUser(1000).build());
    }

    /** Spreads the workers evenly over the nodes. */
    private static PodOptions spread(PodOptions options) {
        return options.toBuilder()
                .role(
                        "worker",
                        worker -> worker.pod(pod -> {
                            Map<String, String> labels =
                                    new TreeMap<>(pod.getMetadata().getLabels());
                            labels.keySet().removeIf(label -> label.contains("index"));
                            return pod.edit()
                                    .editSpec()
                                    .addNewTopologySpreadConstraint()
                                    .withMaxSkew(1)
                                    .withTopologyKey("kubernetes.io/hostname")
                                    .withWhenUnsatisfiable("ScheduleAnyway")
                                    .withNewLabelSelector()
                                    .addToMatchLabels(labels)
                                    .endLabelSelector()
                                    .endTopologySpreadConstraint()
                                    .endSpec()
                                    .build();
                        }))
                .build();
    }

    private static KubernetesExecutor executor(KubernetesClient client, PodOptions options) {
        return KubernetesExecutor.builder()
                .client(client)
                .options(options)
                .nodeNotices(NodeNotices.standard())
                .build();
    }

    /** Returns an account with all permissions of a submitter, except on nodes. */
    private void forbidden() throws Exception {
        Job job = job();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("trainer")
                        .endMetadata()
                        .build())
                .create();
        SubmitterRole role = SubmitterRole.of(job.plan(), options());
        apply(role);
        try (KubernetesClient account = PreflightCase.as(client, NAMESPACE, "trainer");
                KubernetesExecutor executor = executor(account, options())) {
            PreflightReport report = executor.preflight(job);
            Checks.check(
                    report.errors().size() == 1 && report.errors().get(0).what().endsWith(" may not list, watch nodes"),
                    "the preflight tells of nodes\n" + report);
            refused(executor, job, "list");
            for (String verb : List.of("list", "watch")) {
                apply(role);
                command("kubectl", "create", "clusterrole", "edl-half", "--verb=" + verb, "--resource=nodes");
                command(
                        "kubectl",
                        "create",
                        "clusterrolebinding",
                        "edl-half",
                        "--clusterrole=edl-half",
                        "--serviceaccount=" + NAMESPACE + ":trainer");
                Checks.soon(
                        "half of it is granted",
                        () -> executor.preflight(job),
                        () -> executor.preflight(job).errors().stream()
                                .noneMatch(problem -> problem.what().contains(verb)));
                refused(executor, job, verb.equals("list") ? "watch" : "list");
                command("kubectl", "delete", "clusterrole,clusterrolebinding", "edl-half");
            }
            apply(role.nodeNotices());
            Checks.soon(
                    "the Role cures it",
                    () -> executor.preflight(job),
                    () -> executor.preflight(job).ok());
            KubernetesRun run = executor.submit(job);
            Checks.until("the job runs", () -> run, () -> run.status().phase() == JobPhase.RUNNING);
            executor.delete(NAMESPACE, "mnist");
        }
        gone();
        System.out.println(
                "kubernetes: without list and watch of nodes neither preflight nor submit pass; with them they do");
    }

    private void refused(KubernetesExecutor executor, Job job, String verb) {
        try {
            executor.submit(job);
            Checks.check(false, "without " + verb + " of nodes nothing is submitted");
        } catch (KubernetesClientException e) {
            System.out.println(e.getMessage());
            Checks.check(
                    e.getMessage().startsWith("nodeNotices needs to watch nodes, which fails: "),
                    "it is told what is missing: " + e.getMessage());
        }
        Checks.check(
                client.configMaps()
                                .inNamespace(NAMESPACE)
                                .withName("edl-job-mnist")
                                .get()
                        == null,
                "nothing was made");
    }

    private void apply(SubmitterRole role) {
        for (HasMetadata object : role.objects(SubmitterRole.serviceAccount(NAMESPACE, "trainer"))) {
            if (client.resource(object).get() == null) {
                client.resource(object).create();
            }
        }
    }

    void workers() throws Exception {
        List<String> logs = new CopyOnWriteArrayList<>();
        try (KubernetesExecutor executor = executor(client, options());
                KubernetesRun run = executor.submit(job(), event -> System.out.println("  " + event))) {
            settled(run);
            cordoned(run, logs);
            tainted(run);
            drained(run);
            all(run);
            executor.delete(NAMESPACE, "mnist");
        }
        gone();
    }

    @SuppressWarnings("try") // The log is followed while it is open.
    private void cordoned(KubernetesRun run, List<String> logs) throws Exception {
        Set<String> before = on("node-2");
        String follows = before.iterator().next();
        try (var log = run.logs(follows, line -> logs.add(text(line)))) {
            Checks.until(follows + " has begun", () -> logs, () -> logs.contains("begun"));
            command("kubectl", "cordon", "node-2");
            left(run, "node-2", before, "cordoned");
            Checks.until("it ended by itself", () -> logs, () -> logs.contains("told to go") && logs.contains("gone"));
        }
        command("kubectl", "uncordon", "node-2");
        System.out.println("kubernetes: node-2 was cordoned: " + before
                + " got their signal and ended, others run elsewhere;" + " followed: " + logs.subList(0, 3));
    }

    private static String text(LogLine line) {
        return line.text();
    }

    private void tainted(KubernetesRun run) throws Exception {
        Set<String> before = on("node-3");
        command("kubectl", "taint", "nodes", "node-3", "karpenter.sh/disrupted:PreferNoSchedule");
        Checks.stays(
                "a taint that lets pods come back is not a notice",
                Duration.ofSeconds(2),
                () -> run,
                () -> on("node-3").equals(before));
        command("kubectl", "taint", "nodes", "node-3", SPOT + "=soon:NoSchedule");
        left(run, "node-3", before, "taint " + SPOT);
        command("kubectl", "taint", "nodes", "node-3", SPOT + "-", "karpenter.sh/disrupted-");
        System.out.println("kubernetes: node-3 had the taint of a spot notice: " + before + " run elsewhere");
    }

    /**
     * Checks an eviction right after the cordon: each pod has one successor, whether kubectl or the driver deletes it
     * first.
     */
    private void drained(KubernetesRun run) throws Exception {
        Set<String> before = on("node-1");
        int events = run.events().size();
        command("kubectl", "drain", "node-1", "--timeout=90s");
        Checks.until("none is left there", () -> run, () -> on("node-1").isEmpty());
        replaced(run, before);
        long relaunched = run.events().stream()
                .skip(events)
                // A successor placed on the node before the scheduler observed the cordon moves once more.
                .filter(event -> event.type() == JobEvent.Type.RELAUNCHED
                        && before.stream().anyMatch(name -> event.message().endsWith("elasticdl-mnist-" + name)))
                .count();
        Checks.check(relaunched == before.size(), before + " have one successor each, but there are " + relaunched);
        Checks.check(spent(run) == 0, "nothing of a limit is spent: " + run.state());
        command("kubectl", "uncordon", "node-1");
        System.out.println("kubernetes: node-1 was drained: " + before + " have one successor each");
    }

    /** Two workers must run; the others wait for room. */
    private void all(KubernetesRun run) throws Exception {
        command("kubectl", "cordon", "node-1", "node-2", "node-3");
        long[] least = {6};
        Checks.until("two are left", Duration.ofSeconds(150), () -> run, () -> {
            least[0] = Math.min(least[0], running(run));
            return running(run) == 2;
        });
        Checks.check(least[0] == 2, "at least two run all the time, but there were " + least[0]);
        Checks.stays(
                "two workers stay as long as there is no room",
                Duration.ofSeconds(35),
                () -> run,
                () -> running(run) == 2);
        command("kubectl", "uncordon", "node-1", "node-2", "node-3");
        settled(run);
        System.out.println(
                "kubernetes: all nodes were cordoned: four workers left, two stayed until there was room again");
    }

    private void left(KubernetesRun run, String node, Set<String> before, String why) throws Exception {
        Checks.check(!before.isEmpty(), "a worker runs on " + node);
        Checks.until("the workers left " + node, () -> run, () -> on(node).isEmpty());
        replaced(run, before);
        Checks.check(on(node).isEmpty(), "none comes back to " + node);
        for (String worker : before) {
            String said = node + " is about to go (" + why + "): elasticdl-mnist-" + worker
                    + " is deleted, and another worker takes its place";
            Checks.check(
                    run.events().stream().anyMatch(event -> event.message().equals(said)), "an event says: " + said);
        }
        Checks.check(spent(run) == 0, "nothing of a limit is spent: " + run.state());
    }

    private static int spent(KubernetesRun run) {
        return run.state().replicas().values().stream()
                .mapToInt(replica -> replica.relaunchesUsed())
                .sum();
    }

    private static long running(KubernetesRun run) {
        return run.state().replicas().values().stream()
                .filter(replica -> replica.role() == RoleType.WORKER && replica.stage() == ReplicaStage.RUNNING)
                .count();
    }

    /** The job may observe a deletion later than this check. */
    private void replaced(KubernetesRun run, Set<String> before) throws InterruptedException {
        Checks.until(
                before + " are gone",
                () -> run.state(),
                () -> before.stream()
                        .noneMatch(worker -> run.state().replicas().containsKey("elasticdl-mnist-" + worker)));
        settled(run);
    }

    private void settled(KubernetesRun run) throws InterruptedException {
        Checks.until(
                "six workers run, and nothing else of the job waits",
                () -> run,
                () -> running(run) == 6
                        && run.state().replicas().values().stream()
                                .allMatch(replica -> replica.stage() == ReplicaStage.RUNNING));
    }

    /** Returns the workers of a node that are not being deleted, as {@code worker-3}. */
    private Set<String> on(String node) {
        Set<String> names = new TreeSet<>();
        for (Pod pod : client.pods().inNamespace(NAMESPACE).list().getItems()) {
            String name = pod.getMetadata().getName();
            if (node.equals(pod.getSpec().getNodeName())
                    && name.contains("worker")
                    && pod.getMetadata().getDeletionTimestamp() == null) {
                names.add(name.replaceFirst(".*-(worker-)", "$1"));
            }
        }
        return names;
    }

    private void gone() throws InterruptedException {
        Checks.until(
                "nothing is left",
                () -> client.pods().inNamespace(NAMESPACE).list(),
                () -> client.pods().inNamespace(NAMESPACE).list().getItems().isEmpty());
    }

    /** Checks the order: hosts updated, process ended, pod deleted; pods ready, hosts updated. */
    void horovod() throws Exception {
        Job job = Job.named("elastic")
                .namespace(NAMESPACE)
                .horovod()
                .image("edl.local/busybox:1")
                .request("cpu=100m,memory=16Mi")
                .launcher(launcher ->
                        launcher.command("sh", "-c", Elastic.LAUNCHER).request("cpu=200m,memory=128Mi"))
                .workers(
                        3,
                        workers -> workers.command("sh", "-c", "trap 'exit 0' TERM; sleep 100000 & wait")
                                .elastic(1, 6))
                .build();
        List<String> order = new ArrayList<>();
        try (KubernetesExecutor executor = executor(client, spread(Elastic.options()));
                KubernetesRun run =
                        executor.submit(job.plan(Profile.ET_V1ALPHA1), event -> System.out.println("  " + event))) {
            Checks.until("the job runs", () -> run, () -> run.status().phase() == JobPhase.RUNNING);
            Checks.until("three hosts", () -> hosts(run), () -> hosts(run).size() == 3);
            String launcher = client.pods()
                    .inNamespace(NAMESPACE)
                    .withName("elastic-launcher")
                    .get()
                    .getSpec()
                    .getNodeName();
            String node = NODES.stream()
                    .filter(one -> !one.equals(launcher) && !on(one).isEmpty())
                    .findFirst()
                    .orElseThrow();
            Set<String> before = on(node);
            String first = before.iterator().next();
            for (String worker : before) {
                Checks.until(
                        "a process on " + worker,
                        () -> run,
                        () -> sees(run, "test", "-e", "/tmp/on-elastic-" + worker));
            }
            command("kubectl", "cordon", node);
            Checks.until(
                    "its workers are not hosts",
                    () -> hosts(run),
                    () -> before.stream().noneMatch(hosts(run)::contains));
            order.add("hosts " + hosts(run));
            Checks.stays(
                    "a worker stays while the launcher has a process on it",
                    Duration.ofSeconds(3),
                    () -> run,
                    () -> on(node).equals(before));
            run.exec("launcher", PodCommand.of("touch", "/tmp/free"));
            Checks.until("the workers are deleted", () -> run, () -> on(node).isEmpty());
            order.add("deleted " + before);
            Checks.until(
                    "three hosts again",
                    () -> hosts(run) + "\n" + run,
                    () -> hosts(run).size() == 3);
            order.add("hosts " + hosts(run));
            // The highest id that left is the next to be created, so a name may exist again; its pod is another one on
            // another node.
            Checks.check(on(node).isEmpty(), "none comes back to " + node);
            Checks.check(
                    run.events().stream()
                            .anyMatch(event -> event.type() == JobEvent.Type.NODE_NOTICE
                                    && event.message()
                                            .startsWith(node + " is about to go (cordoned): elastic-" + first)),
                    "an event says what happens: " + run.events());
            command("kubectl", "uncordon", node);
            executor.delete(NAMESPACE, "elastic");
        }
        gone();
        System.out.println("kubernetes: a Horovod job's workers left a node in et-operator's order: " + order);
    }

    private static boolean sees(KubernetesRun run, String... words) {
        try {
            return run.exec("launcher", Duration.ofSeconds(20), words).succeeded();
        } catch (ExecException e) {
            // Asked again.
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> hosts(KubernetesRun run) {
        try {
            String lines = run.exec("launcher", Duration.ofSeconds(20), "cat", "/etc/edl/hostfile")
                    .out();
            Map<String, String> hosts = new TreeMap<>();
            lines.lines()
                    .forEach(line -> hosts.put(line.replaceFirst("elastic-", "").replaceFirst(":.*", ""), line));
            return hosts.keySet();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void command(String... words) throws Exception {
        Process process = new ProcessBuilder(words).inheritIO().start();
        Checks.check(process.waitFor() == 0, String.join(" ", words) + " ended with " + process.exitValue());
    }
}
