package dev.edl.conformance.queues;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.JobClient;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks that jobs keep to a queue of Kueue, whose own controller admits them. Quota is free after each kind of end, a
 * lost replica is replaced inside it, and workers come and go with it.
 */
@OnCluster(value = "--nodes 3", alone = true)
class Kueue {
    static final PodOptions OPTIONS = PodOptions.builder()
            .queue("team-a")
            .runAsUser(1000)
            .pod(pod -> pod.edit()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(1L)
                    .endSpec()
                    .build())
            .build();

    private static final String SMALL = "cpu=100m,memory=16Mi";

    private final KubernetesClient client;
    final String namespace;
    final Quota quota;
    final KubernetesExecutor executor;

    private Kueue(KubernetesClient client, String namespace, Quota quota, KubernetesExecutor executor) {
        this.client = client;
        this.namespace = namespace;
        this.quota = quota;
        this.executor = executor;
    }

    @Test
    void jobs_keep_to_the_quota_of_their_queue() throws Exception {
        Checks.command(Path.of(Cluster.scripts())
                .resolveSibling("kubernetes")
                .resolve("kueue")
                .toString());
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            new QueuesPage(client).walk();
            new QueuedPlacement(client, "edl-kueue-placed").places();
            for (String story : List.of("trains", "ends", "killed", "replaced", "scaled", "preempted")) {
                String namespace = "edl-kueue-" + story;
                Kueue check = new Kueue(
                        client, namespace, Quota.of(client, namespace), KubernetesExecutor.using(client, OPTIONS));
                switch (story) {
                    case "ends" -> check.ends();
                    case "killed" -> check.killed();
                    case "replaced" -> check.replaced();
                    case "scaled" -> check.scaled();
                    case "preempted" -> check.preempted();
                    case "trains" -> new QueuedTraining(check).trains();
                    default -> throw new IllegalArgumentException("there is no story \"" + story + "\"");
                }
                check.executor.close();
            }
        }
    }

    private JobBuilder job(String name) {
        return job(namespace, name);
    }

    /** Returns a job with a master, two servers and three workers. */
    static JobBuilder job(String namespace, String name) {
        return job(namespace, name, SMALL, 2, 3, 1, 8);
    }

    private JobBuilder job(String name, int servers, int workers, int least, int most) {
        return job(namespace, name, SMALL, servers, workers, least, most);
    }

    /**
     * Returns a job with a master that ends with the exit code in a file.
     *
     * @param request what each pod requests
     * @param least smallest number of workers
     * @param most largest number of workers
     */
    static JobBuilder job(
            String namespace, String name, String request, int servers, int workers, int least, int most) {
        return Job.named(name)
                .namespace(namespace)
                .image("edl.local/busybox:1")
                .command(
                        "sh",
                        "-c",
                        "trap 'exit 143' TERM; while [ ! -e /tmp/go ]; do sleep 0.1; done; exit $(cat /tmp/go)")
                .request(request)
                .master()
                .ps(servers)
                .workers(workers, role -> role.elastic(least, most));
    }

    KubernetesRun running(JobBuilder job, int pods) throws InterruptedException {
        KubernetesRun run = executor.submit(job.build());
        run.onEvent(event -> System.out.println("  " + event));
        running(run, pods);
        return run;
    }

    void running(KubernetesRun run, int pods) throws InterruptedException {
        String name = run.plan().name();
        Checks.until(
                pods + " pods of " + name + " run",
                () -> run + "\n" + quota.state(),
                () -> quota.running(name).size() == pods);
    }

    private static void go(KubernetesRun run, int code) throws InterruptedException {
        run.exec("master", Duration.ofSeconds(20), "sh", "-c", end(code));
    }

    private static String end(int code) {
        return "echo " + code + " >/tmp/new; mv /tmp/new /tmp/go";
    }

    private void ended(KubernetesRun run, JobPhase phase) throws InterruptedException {
        JobStatus end = run.await(Checks.LIMIT);
        Checks.check(end.phase() == phase, run.plan().name() + " was to end as " + phase + "\n" + end);
    }

    /** Waits until a job's quota is free, and removes the job. */
    void free(String how, String job) throws InterruptedException {
        quota.uses("after " + how, 0);
        executor.delete(namespace, job);
        quota.empty("after " + how);
        System.out.println("kubernetes: after " + how + " the quota was free");
    }

    private void ends() throws Exception {
        KubernetesRun run = running(job("success"), 6);
        quota.uses("while a job runs", 600);
        go(run, 0);
        ended(run, JobPhase.SUCCEEDED);
        free("success", "success");

        run = running(job("failure"), 6);
        // A fatal code: after another one the master would be relaunched.
        go(run, 70);
        ended(run, JobPhase.FAILED);
        free("failure", "failure");

        run = running(job("cancel"), 6);
        run.suspend();
        quota.uses("while a job is suspended", 0);
        run.resume();
        running(run, 6);
        run.cancel();
        ended(run, JobPhase.CANCELLED);
        free("cancel", "cancel");

        run = running(job("deadline").deadline(Duration.ofSeconds(15)), 6);
        ended(run, JobPhase.FAILED);
        free("a deadline", "deadline");

        running(job("delete"), 6);
        executor.delete(namespace, "delete");
        // At once under the same name, while Kueue still has the workload of the first.
        running(job("delete"), 6);
        executor.delete(namespace, "delete");
        free("delete", "delete");

        waiting();
    }

    /** Kills drivers by signal 9: before the end of their job, and while they end it. */
    private void killed() throws Exception {
        Process driver = driven("killed");
        QueuedDriver.kill(driver);
        Kubectl.run("exec", "--namespace", namespace, "elasticdl-killed-master", "--", "sh", "-c", end(0));
        Checks.until(
                "the master of killed has ended",
                quota::state,
                () -> !quota.running("killed").containsKey("master"));
        Checks.check(quota.used() > 0, "without a driver the job keeps its quota\n" + quota.state());
        ended(executor.attach(namespace, "killed"), JobPhase.SUCCEEDED);
        free("the end of a job whose driver was killed", "killed");

        driver = driven("orphan");
        QueuedDriver.kill(driver);
        executor.delete(namespace, "orphan");
        free("delete of a job whose driver was killed", "orphan");

        killedAtTheEnd("cut");
        ended(executor.attach(namespace, "cut"), JobPhase.CANCELLED);
        free("cancel by a driver that was killed then", "cut");

        killedAtTheEnd("short");
        executor.delete(namespace, "short");
        free("delete after such a cancel", "short");
    }

    /** Kills a driver that has written the end of its job, and is deleting the pods. */
    private void killedAtTheEnd(String job) throws Exception {
        Process driver = driven(job);
        JobClient record = executor.find(namespace, job);
        QueuedDriver.cancel(driver);
        Checks.until(job + " is cancelled", quota::state, () -> record.status().phase() == JobPhase.CANCELLED);
        QueuedDriver.kill(driver);
    }

    /** Returns the process that drives a job whose pods run. */
    private Process driven(String job) throws Exception {
        Process driver = QueuedDriver.start(namespace, job);
        Checks.until(
                "6 pods of " + job + " run",
                quota::state,
                () -> quota.running(job).size() == 6);
        return driver;
    }

    /** Cancels and deletes jobs that wait in the queue behind another one. */
    private void waiting() throws Exception {
        running(job("first", 6, 2, 2, 2), 9);
        KubernetesRun second = executor.submit(job("second").build());
        Checks.until(
                "a job waits", () -> second, () -> second.status().replicas().size() == 6);
        second.cancel();
        ended(second, JobPhase.CANCELLED);
        executor.delete(namespace, "second");
        KubernetesRun third = executor.submit(job("third").build());
        Checks.until("a job waits", () -> third, () -> third.status().replicas().size() == 6);
        executor.delete(namespace, "third");
        Checks.until(
                "of jobs that waited nothing is left",
                quota::state,
                () -> client.pods().inNamespace(namespace).list().getItems().size() == 9);
        quota.uses("after jobs that waited", 900);
        executor.delete(namespace, "first");
        free("jobs that waited", "first");
    }

    private void replaced() throws Exception {
        KubernetesRun run = running(job("lost"), 6);
        quota.uses("while a job runs", 600);
        // Another job needs more than the rest of the quota, so that it would take freed quota.
        KubernetesRun other = executor.submit(job("other", 4, 3, 1, 8).build());
        Checks.until(
                "another job waits",
                () -> other,
                () -> !quota.running("lost").isEmpty()
                        && other.status().replicas().size() == 8);
        for (String lost : List.of("worker-0", "ps-1", "worker-1")) {
            Map<String, String> before = quota.running("lost");
            client.pods()
                    .inNamespace(namespace)
                    .withName("elasticdl-lost-" + lost)
                    .evict();
            Map<String, String> others = new HashMap<>(before);
            others.remove(lost);
            Checks.until(
                    lost + " is replaced, and no other pod",
                    () -> run + "\n" + quota.state(),
                    () -> quota.running("lost").size() == 6
                            && quota.running("lost").values().containsAll(others.values())
                            && !quota.running("lost").containsValue(before.get(lost)));
        }
        quota.uses("after three lost replicas", 600);
        Checks.check(quota.running("other").isEmpty(), "no other job takes the quota\n" + quota.state());
        executor.delete(namespace, "other");
        executor.delete(namespace, "lost");
        free("lost replicas", "lost");
        System.out.println("kubernetes: lost replicas were replaced inside the quota, with the others untouched");
    }

    /** Takes a worker from a job, and then all of it, for jobs of a higher priority; both times it comes back. */
    private void preempted() throws Exception {
        KubernetesRun low = running(job("low"), 6);
        quota.uses("while a job runs", 600);
        String master = quota.running("low").get("master");
        running(urgent("short", 2), 5);
        running(low, 5);
        Checks.check(
                master.equals(quota.running("low").get("master")),
                "a job that lost a worker keeps its master\n" + quota.state());
        System.out.println("kubernetes: a higher priority took a worker, and the job continued");
        executor.delete(namespace, "short");
        running(low, 6);

        running(urgent("long", 7), 10);
        running(low, 0);
        System.out.println("kubernetes: a higher priority took the whole job, which waits");
        executor.delete(namespace, "long");
        running(low, 6);
        quota.uses("after the job came back", 600);
        go(low, 0);
        ended(low, JobPhase.SUCCEEDED);
        free("preemption", "low");
    }

    /** Returns a job of a higher priority, whose pods come together: a master, two servers and workers. */
    JobBuilder urgent(String name, int workers) {
        return job(name, 2, workers, workers, workers).label("kueue.x-k8s.io/priority-class", "urgent");
    }

    /** Stops the queue of a job, and adds a worker, which waits until it is started again. */
    private void stopped(KubernetesRun run) throws InterruptedException {
        Kubectl.run(stop("Hold"));
        run.scale("worker", 7);
        Checks.until(
                "a worker waits for the stopped queue",
                () -> run + "\n" + quota.state(),
                () -> run.status().replicas().stream()
                        .filter(replica -> replica.status().equals("Pending"))
                        .anyMatch(replica -> run.whyPending(replica.name())
                                .orElse("")
                                .contains("; LocalQueue \"team-a\" is stopped: its stopPolicy is Hold")));
        Kubectl.run(stop("None"));
        quota.uses("after the queue was started again", 1000);
        running(run, 10);
    }

    private String[] stop(String policy) {
        return new String[] {
            "patch",
            "localqueue",
            "team-a",
            "--namespace",
            namespace,
            "--type=merge",
            "--patch",
            "{\"spec\":{\"stopPolicy\":\"" + policy + "\"}}"
        };
    }

    private void scaled() throws Exception {
        // Of its 11 pods 10 have quota.
        KubernetesRun run = running(job("scaled", 2, 8, 1, 8), 10);
        quota.uses("for what the quota has", 1000);
        JobStatus status = run.status();
        Checks.check(status.phase() == JobPhase.RUNNING, "a job runs with what the quota has\n" + status);
        String waits = status.replicas().stream()
                .filter(replica -> replica.status().equals("Pending"))
                .map(replica -> replica.name())
                .findFirst()
                .orElseThrow();
        String why = run.whyPending(waits).orElse("");
        Checks.check(
                why.contains("queue \"team-a\", in which it is number 1 of 1")
                        && why.contains("insufficient unused quota"),
                waits + " was to wait in the queue: " + why);
        System.out.println("kubernetes: started with what the quota has; " + waits + ": " + why);
        String queue = executor.find(namespace, "scaled").queue().orElseThrow().toString();
        Checks.check(
                queue.startsWith("queue team-a of ClusterQueue " + namespace + "\n")
                        && queue.contains("worker-0 have quota: cpu, memory of flavor default\n")
                        && queue.contains(" waits, number 1 of 1 of its namespace: "),
                "the status was to have the queue: " + queue);
        System.out.println(queue);
        Map<String, String> before = quota.running("scaled");
        run.scale("worker", 4);
        quota.uses("after scaling in", 700);
        running(run, 7);
        run.scale("worker", 6);
        quota.uses("after scaling out", 900);
        running(run, 9);
        Checks.check(
                quota.running("scaled").values().stream()
                                .filter(before::containsValue)
                                .count()
                        == 7,
                "seven pods were to stay\n" + quota.state());
        Checks.check(quota.deletions().isEmpty(), "Kueue deletes no pod, was " + quota.deletions());
        stopped(run);
        executor.delete(namespace, "scaled");
        free("scaling", "scaled");
        System.out.println("kubernetes: workers came and went with the quota");
    }
}
