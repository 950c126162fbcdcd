package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.conformance.preflight.PreflightCase;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.spec.CleanupPolicy;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks how a job ends and what it leaves, in pods of real nodes: cleanup, time to live, deadline, relaunch limit and
 * backoff.
 */
@OnCluster("--nodes 3")
class Policies {
    private static final String NAMESPACE = "edl-policies";

    private final KubernetesClient client;
    private final KubernetesExecutor executor;

    private Policies(KubernetesClient client, KubernetesExecutor executor) {
        this.client = client;
        this.executor = executor;
    }

    @Test
    void a_job_ends_by_its_policies() throws Exception {
        PodOptions options = PodOptions.builder()
                .runAsUser(1000)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, options)) {
            Checks.namespace(client, NAMESPACE, true);
            PreflightCase.accounted(client, NAMESPACE);
            Policies policies = new Policies(client, executor);
            policies.cleanup();
            policies.timeToLive();
            policies.deadline();
            policies.limitAndBackoff();
            client.namespaces().withName(NAMESPACE).delete();
        }
    }

    /** Returns a job with a chief that ends by itself, and a worker that does not. */
    private static JobBuilder job(String name, String chief) {
        return Job.named(name)
                .namespace(NAMESPACE)
                .image("edl.local/busybox:1")
                .tensorflow()
                .request("cpu=100m,memory=16Mi")
                .workers(1, worker -> worker.command("sh", "-c", "sleep 1000"))
                .chief(c -> c.command("sh", "-c", chief));
    }

    private void cleanup() throws InterruptedException {
        String chief = "sleep 3";
        Map<CleanupPolicy, Map<String, String>> left = Map.of(
                CleanupPolicy.NONE, Map.of("chief", "Succeeded", "worker-0", "Running"),
                CleanupPolicy.RUNNING, Map.of("chief", "Succeeded"),
                CleanupPolicy.ALL, Map.of());
        for (CleanupPolicy policy : CleanupPolicy.values()) {
            String name = "cleanup-" + policy.name().toLowerCase(java.util.Locale.ROOT);
            KubernetesRun run = executor.submit(job(name, chief).cleanup(policy).build());
            JobStatus end = run.await(Checks.LIMIT);
            Checks.check(end.phase() == JobPhase.SUCCEEDED, name + " was to succeed\n" + end);
            Map<String, String> expected = new TreeMap<>(left.get(policy));
            Checks.until(
                    "of " + name + " is left " + expected,
                    () -> pods(name),
                    () -> pods(name).equals(expected));
            executor.delete(NAMESPACE, name);
            System.out.println("kubernetes: after the end, cleanup " + policy + " leaves " + expected);
        }
    }

    private Map<String, String> pods(String job) {
        return new TreeMap<>(
                client.pods().inNamespace(NAMESPACE).withLabel("elasticdl-job-name", job).list().getItems().stream()
                        .collect(Collectors.toMap(
                                pod -> pod.getMetadata().getName().replace("elasticdl-" + job + "-", ""),
                                (Pod pod) -> pod.getStatus().getPhase())));
    }

    private void timeToLive() throws InterruptedException {
        KubernetesRun run =
                executor.submit(job("ttl", "sleep 1").ttl(Duration.ofSeconds(3)).build());
        Checks.until(
                "the record is gone once the time to live is over",
                () -> run,
                () -> has(run, JobEvent.Type.JOB_COLLECTED)
                        && client.configMaps()
                                        .inNamespace(NAMESPACE)
                                        .withName("edl-job-ttl")
                                        .get()
                                == null
                        && pods("ttl").isEmpty()
                        && client.services()
                                .inNamespace(NAMESPACE)
                                .withLabel("elasticdl-job-name", "ttl")
                                .list()
                                .getItems()
                                .isEmpty());
        Duration lived =
                Duration.between(first(run, JobEvent.Type.JOB_SUCCEEDED), first(run, JobEvent.Type.JOB_COLLECTED));
        Checks.check(lived.toMillis() >= 2900, "the job was to stay for 3 s, stayed " + lived);
        System.out.println(
                "kubernetes: a job with a time to live of 3 s was kept as long, then nothing of it was left");
    }

    private void deadline() throws InterruptedException {
        KubernetesRun run = executor.submit(
                job("deadline", "sleep 1000").deadline(Duration.ofSeconds(4)).build());
        JobStatus end = run.await(Checks.LIMIT);
        Checks.check(
                end.phase() == JobPhase.FAILED && has(run, JobEvent.Type.DEADLINE_EXCEEDED),
                "a job past its deadline was to fail\n" + end + run.events());
        Checks.until(
                "no pod of it runs",
                () -> pods("deadline"),
                () -> !pods("deadline").containsValue("Running"));
        executor.delete(NAMESPACE, "deadline");
        System.out.println("kubernetes: a job past its deadline failed, and its pods were ended");
    }

    private void limitAndBackoff() throws InterruptedException {
        KubernetesRun run = executor.submit(job("limit", "exit 3")
                .relaunchLimit(2)
                .backoff(Duration.ofSeconds(1), Duration.ofSeconds(8))
                .build());
        JobStatus end = run.await(Checks.LIMIT);
        List<Instant> made = times(run, JobEvent.Type.REPLICA_CREATED, "chief");
        List<Instant> failed = times(run, JobEvent.Type.REPLICA_FAILED, "chief");
        Checks.check(
                end.phase() == JobPhase.FAILED
                        && made.size() == 3
                        && failed.size() == 3
                        && has(run, JobEvent.Type.RELAUNCH_LIMIT),
                "a chief with 2 relaunches was to fail three times\n" + run.events());
        long once = Duration.between(failed.get(0), made.get(1)).toMillis();
        long twice = Duration.between(failed.get(1), made.get(2)).toMillis();
        Checks.check(
                once >= 900 && twice >= 1900,
                "the relaunches were to wait 1 s and 2 s, waited " + once + " and " + twice + " ms");
        executor.delete(NAMESPACE, "limit");
        System.out.println(
                "kubernetes: a chief that fails is relaunched twice, after at least 1 and 2 s, and then fails its job");
    }

    private static boolean has(KubernetesRun run, JobEvent.Type type) {
        return run.events().stream().anyMatch(event -> event.type() == type);
    }

    private static Instant first(KubernetesRun run, JobEvent.Type type) {
        return run.events().stream()
                .filter(event -> event.type() == type)
                .map(JobEvent::at)
                .findFirst()
                .orElseThrow();
    }

    private static List<Instant> times(KubernetesRun run, JobEvent.Type type, String role) {
        return run.events().stream()
                .filter(event -> event.type() == type && event.message().contains(role))
                .map(JobEvent::at)
                .sorted(Comparator.naturalOrder())
                .toList();
    }
}
