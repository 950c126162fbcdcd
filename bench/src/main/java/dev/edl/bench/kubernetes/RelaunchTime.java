package dev.edl.bench.kubernetes;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.spec.Resources;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Time from a worker's deletion timestamp to the creation of its successor, both as seen by a watch. In a job of ten
 * workers, 20 are deleted one after the other, each once all run, with a grace period of a second. The pods of a
 * Deployment's ReplicaSet and of a Job of Kubernetes ({@code restartPolicy: Never}, {@code backoffLimit: 1000}), whose
 * back-off doubles from 10 s, are deleted for comparison. So is a worker of a TFJob of Kubeflow's training operator,
 * on real nodes; that job fails.
 *
 * <ul>
 * <li>{@code kubernetes.relaunch}: 50 ms, the bound, over the 95th percentile of all deletions of at most three rounds.
 * <li>{@code kubernetes.relaunch.job}: the Job's median over EDL's.
 * <li>{@code kubernetes.relaunch.operator}: the share of rounds in which EDL's job continued.
 * <li>{@code kubernetes.calls}: 4 over the executor's requests per relaunch, without its watch.
 * </ul>
 *
 * <p>Before the rounds, the JVM relaunches 300 workers of fake nodes, because its JIT compiler would otherwise use both
 * processors during the measurement. The first deletion of a round does not count. A pod needs 0.4 s to end, like a
 * training process. The printed conditions also contain the times of two variants: a round before the warm-up, and
 * rounds with pods that end at once, so that a node of two processors is still ending them when it creates the next.
 */
public final class RelaunchTime implements Measurement {
    private static final double BOUND_MILLIS = 50;
    private static final int CALLS = 4;
    private static final int MOST_ROUNDS = 3;
    private static final int WORKERS = 10;
    private static final int WARM_UP = 300;
    private static final int WARM_WORKERS = 100;
    private static final long LONG = 120_000_000_000L;

    private final Figure time = new Figure(
            "kubernetes.relaunch", 1, "50 ms over the 95th percentile from a worker's deletion mark to the next one");
    private final Figure job =
            new Figure("kubernetes.relaunch.job", 20, "a Job's median time to replace a deleted pod over EDL's");
    private final Figure operator = new Figure(
            "kubernetes.relaunch.operator",
            1,
            "share of jobs that went on when workers were deleted, beside Kubeflow's training operator");
    private final Figure calls = new Figure("kubernetes.calls", 1, "4 over the API calls of a relaunch");

    @Override
    public List<Figure> figures() {
        return List.of(time, job, operator, calls);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws InterruptedException {
        int deletions = settings.either(20, 2);
        int rounds = Math.min(settings.rounds(), MOST_ROUNDS);
        RoundRatios all = new RoundRatios();
        List<Double> us = new ArrayList<>();
        List<Double> set = new ArrayList<>();
        List<Double> usAtOnce = new ArrayList<>();
        List<Double> setAtOnce = new ArrayList<>();
        try (TestCluster cluster = new TestCluster()) {
            List<Double> cold = executor(cluster, deletions, TestCluster.SCRIPT, new RoundRatios());
            warm(cluster, settings.either(WARM_UP, 2));
            for (int i = 0; i < rounds; i++) {
                us.addAll(executor(cluster, deletions, TestCluster.SCRIPT, all));
                set.addAll(replicaSet(cluster, deletions, TestCluster.SCRIPT));
                usAtOnce.addAll(executor(cluster, deletions, TestCluster.AT_ONCE, new RoundRatios()));
                setAtOnce.addAll(replicaSet(cluster, deletions, TestCluster.AT_ONCE));
            }
            all.add(time, BOUND_MILLIS / percentile(us))
                    .side(time, "95th percentile %.1f ms", percentile(us))
                    .side(time, "median %.1f ms", RoundRatios.median(us))
                    .side(time, "a ReplicaSet's %.1f ms", percentile(set))
                    .side(time, "its median %.1f ms", RoundRatios.median(set))
                    .side(time, "of pods that are gone at once %.1f ms", percentile(usAtOnce))
                    .side(time, "the median of those %.1f ms", RoundRatios.median(usAtOnce))
                    .side(time, "a ReplicaSet's of those %.1f ms", percentile(setAtOnce))
                    .side(time, "its median of those %.1f ms", RoundRatios.median(setAtOnce))
                    .side(time, "in a JVM that has just begun %.1f ms", percentile(cold))
                    .side(time, "there its median %.1f ms", RoundRatios.median(cold))
                    .note(time, us.size() + " deletions");
            if (settings.wants(job)) {
                List<Double> them = kubernetesJob(cluster, settings.either(3, 1));
                all.add(job, RoundRatios.median(them) / RoundRatios.median(us))
                        .note(
                                job,
                                "one after another in ms: "
                                        + them.stream()
                                                .map(ms -> String.format(Locale.ROOT, "%.0f", ms))
                                                .toList());
            }
            if (settings.wants(operator)) {
                all.note(operator, cluster.real() ? TrainingOperator.lose(cluster) : "the operator needs real nodes");
            }
            for (Figure figure : figures()) {
                if (all.has(figure)) {
                    all.note(figure, cluster.real() ? "three real nodes" : "fake nodes");
                }
            }
        }
        return all;
    }

    private List<Double> executor(TestCluster cluster, int deletions, String script, RoundRatios rounds)
            throws InterruptedException {
        String namespace = cluster.namespace("relaunch");
        try (PodWatch pods = new PodWatch(cluster.client(), namespace);
                KubernetesExecutor executor =
                        cluster.executor(cluster.real() ? TestCluster.onRealNodes() : TestCluster.onFakeNodes());
                KubernetesRun run = executor.submit(TestCluster.job(namespace, WORKERS, script))) {
            pods.running(WORKERS + 1);
            deleteOne(cluster, namespace, pods, WORKERS + 1, LONG);
            pods.running(WORKERS + 1);
            Map<String, Integer> before = cluster.calls().all();
            List<Double> times = series(cluster, namespace, pods, deletions, WORKERS + 1);
            Map<String, Integer> after = cluster.calls().all();
            after.replaceAll((method, count) -> count - before.getOrDefault(method, 0));
            double each = after.values().stream().mapToInt(n -> n).sum() / (double) deletions;
            rounds.add(calls, CALLS / each).side(calls, "%.1f calls", each).note(calls, after + " for " + deletions);
            rounds.add(operator, run.status().phase() == JobPhase.RUNNING ? 1 : 0);
            run.close();
            return times;
        } finally {
            cluster.remove(namespace);
        }
    }

    /** Relaunches workers on fake nodes for the JIT compiler, without waiting until they run. */
    private static void warm(TestCluster cluster, int deletions) throws InterruptedException {
        String namespace = cluster.namespace("warm");
        try (PodWatch pods = new PodWatch(cluster.client(), namespace);
                KubernetesExecutor executor = cluster.executor(TestCluster.onFakeNodes());
                KubernetesRun run = executor.submit(TestCluster.job(namespace, WARM_WORKERS))) {
            pods.running(WARM_WORKERS + 1);
            for (int id = 0; id < deletions; id++) {
                Pod worker = cluster.client()
                        .pods()
                        .inNamespace(namespace)
                        .withName(run.plan().replicaName(RoleType.WORKER, id))
                        .get();
                delete(cluster, worker, pods, LONG);
            }
            run.close();
        } finally {
            cluster.remove(namespace);
        }
    }

    private static PodTemplateSpec template(TestCluster cluster, String script) {
        Map<String, Quantity> amounts = new HashMap<>();
        Resources.parse(TestCluster.REQUEST)
                .amounts()
                .forEach((resource, amount) -> amounts.put(resource, new Quantity(amount)));
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(Map.of("app", "peer"))
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(1L)
                .withNodeSelector(cluster.real() ? Map.of() : Map.of("type", "kwok"))
                .addNewContainer()
                .withName("main")
                .withImage("edl.local/busybox:1")
                .withCommand("sh", "-c", script)
                .withNewResources()
                .withRequests(amounts)
                .withLimits(amounts)
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static List<Double> replicaSet(TestCluster cluster, int deletions, String script)
            throws InterruptedException {
        String namespace = cluster.namespace("replicaset");
        try (PodWatch pods = new PodWatch(cluster.client(), namespace)) {
            cluster.client()
                    .resource(new DeploymentBuilder()
                            .withNewMetadata()
                            .withName("peer")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withNewSpec()
                            .withReplicas(WORKERS)
                            .withNewSelector()
                            .withMatchLabels(Map.of("app", "peer"))
                            .endSelector()
                            .withTemplate(template(cluster, script))
                            .endSpec()
                            .build())
                    .create();
            pods.running(WORKERS);
            return series(cluster, namespace, pods, deletions, WORKERS);
        } finally {
            cluster.remove(namespace);
        }
    }

    private static List<Double> kubernetesJob(TestCluster cluster, int deletions) throws InterruptedException {
        String namespace = cluster.namespace("job");
        try (PodWatch pods = new PodWatch(cluster.client(), namespace)) {
            PodTemplateSpec template = template(cluster, TestCluster.SCRIPT);
            template.getSpec().setRestartPolicy("Never");
            cluster.client()
                    .resource(new JobBuilder()
                            .withNewMetadata()
                            .withName("peer")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withNewSpec()
                            .withParallelism(WORKERS)
                            .withCompletions(WORKERS)
                            .withBackoffLimit(1000)
                            .withTemplate(template)
                            .endSpec()
                            .build())
                    .create();
            pods.running(WORKERS);
            return series(cluster, namespace, pods, deletions, WORKERS);
        } finally {
            cluster.remove(namespace);
        }
    }

    private static List<Double> series(TestCluster cluster, String namespace, PodWatch pods, int deletions, int running)
            throws InterruptedException {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < deletions; i++) {
            times.add(deleteOne(cluster, namespace, pods, running, LONG));
            pods.running(running);
        }
        return times;
    }

    /**
     * Deletes a running worker and waits for its successor; returns the time from the deletion timestamp to the
     * successor's creation, in ms.
     */
    private static double deleteOne(TestCluster cluster, String namespace, PodWatch pods, int running, long limit)
            throws InterruptedException {
        pods.running(running);
        // Otherwise the node's work for the previous pod would be measured too.
        pods.settled();
        Pod worker = cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> !pod.getMetadata().getName().contains("master"))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .findFirst()
                .orElseThrow();
        return delete(cluster, worker, pods, limit);
    }

    /**
     * Deletes a pod and waits for the next pod's creation; returns the time from the deletion timestamp to that
     * creation, in ms.
     */
    static double delete(TestCluster cluster, Pod worker, PodWatch pods, long limit) throws InterruptedException {
        int before = pods.count();
        cluster.client().resource(worker).delete();
        long nanos = pods.replaced(worker.getMetadata().getUid(), before, limit);
        if (nanos == -1) {
            throw new IllegalStateException("pod " + worker.getMetadata().getName() + " of namespace "
                    + worker.getMetadata().getNamespace() + " was not replaced within " + limit / 1_000_000_000 + " s");
        }
        return nanos / 1e6;
    }

    static double percentile(List<Double> times) {
        double[] sorted = times.stream().mapToDouble(t -> t).toArray();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(sorted.length * 0.95) - 1];
    }
}
