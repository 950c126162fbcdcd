package dev.edl.bench.kubernetes;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Growth of a driver's cost with the replicas of its job. The cost is the live memory after a collection, including
 * pods and state, and the median time of ten relaunches, from a worker's deletion timestamp to the creation of its
 * successor. A figure is 1 if the cost does not grow. The pods run on fake nodes. The jobs are not deleted, because the
 * cluster ends after this measurement: a closed driver sends no request, and pods of fake nodes use no processor.
 */
public final class DriverCostGrowth implements Measurement {
    private static final int[] REPLICAS = {10, 1000, 10_000};
    /** Number of workers that are deleted in each job; in the smallest job these are all of its workers. */
    private static final int DELETIONS = 10;

    private static final int DECISIONS = 200;
    private static final int[] FEW = {5, 20, 40};

    private final Figure thousand =
            new Figure("kubernetes.relaunch.1000", 0.5, "a relaunch's time in a job of 10 replicas over one of 1,000");
    private final Figure most = new Figure(
            "kubernetes.relaunch.10000", 0.5, "a relaunch's time in a job of 10 replicas over one of 10,000");
    private final Figure memory = new Figure(
            "kubernetes.memory", 0.8, "memory for each replica in a job of 1,000 replicas over one of 10,000");

    @Override
    public List<Figure> figures() {
        return List.of(thousand, most, memory);
    }

    /**
     * Cost of a job with one number of replicas.
     *
     * @param start seconds until all replicas ran
     * @param relaunch median time of a relaunch, in ms
     * @param decision median time of a reconcile pass over one deletion, without requests, in ms
     * @param bytes memory of the job in the driver
     */
    private record Cost(double start, double relaunch, double decision, double bytes) {}

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws InterruptedException {
        int[] sizes = settings.quick() ? FEW : REPLICAS;
        RoundRatios rounds = new RoundRatios();
        try (TestCluster cluster = new TestCluster()) {
            cost(cluster, sizes[0], settings);
            // One round: to start and end 10,000 pods takes minutes.
            Cost few = cost(cluster, sizes[0], settings);
            Cost many = cost(cluster, sizes[1], settings);
            Cost all = cost(cluster, sizes[2], settings);
            rounds.add(thousand, few.relaunch() / many.relaunch())
                    .side(thousand, sizes[0] + " replicas %.1f ms", few.relaunch())
                    .side(thousand, sizes[1] + " replicas %.1f ms", many.relaunch())
                    .side(thousand, "of which decisions take %.2f", few.decision())
                    .side(thousand, "and %.2f ms", many.decision());
            rounds.add(most, few.relaunch() / all.relaunch())
                    .side(most, sizes[0] + " replicas %.1f ms", few.relaunch())
                    .side(most, sizes[2] + " replicas %.1f ms", all.relaunch())
                    .side(most, "of which decisions take %.2f", few.decision())
                    .side(most, "and %.2f ms", all.decision())
                    .side(most, "all of them running after %.0f s", all.start());
            rounds.add(memory, many.bytes() / sizes[1] / (all.bytes() / sizes[2]))
                    .side(memory, sizes[1] + " replicas %.1f MiB", many.bytes() / (1 << 20))
                    .side(memory, sizes[2] + " replicas %.1f MiB", all.bytes() / (1 << 20));
        }
        return rounds;
    }

    private static Cost cost(TestCluster cluster, int workers, MeasurementSettings settings)
            throws InterruptedException {
        String namespace = cluster.namespace("many");
        double before = used();
        try (KubernetesExecutor executor = cluster.executor(TestCluster.onFakeNodes());
                KubernetesRun run = executor.submit(TestCluster.job(namespace, workers))) {
            List<Double> times = new ArrayList<>();
            double bytes;
            try (PodWatch pods = new PodWatch(cluster.client(), namespace)) {
                long begin = System.nanoTime();
                pods.running(workers + 1);
                double start = (System.nanoTime() - begin) / 1e9;
                for (int i = 0; i < settings.either(DELETIONS, 2); i++) {
                    Pod worker = cluster.client()
                            .pods()
                            .inNamespace(namespace)
                            .withName(run.plan().replicaName(RoleType.WORKER, i))
                            .get();
                    times.add(RelaunchTime.delete(cluster, worker, pods, 60_000_000_000L));
                    pods.running(workers + 1);
                }
                bytes = used() - before;
                run.close();
                return new Cost(start, RoundRatios.median(times), decision(run), Math.max(bytes, 1));
            }
        }
    }

    /**
     * Returns the median time, in ms, of a reconcile pass over the job's running replicas, of which one is being
     * deleted, another in each pass. A pass compares the observation with the job state, and decides.
     */
    private static double decision(KubernetesRun run) {
        List<ReplicaState> alive = run.state().replicas().values().stream()
                .filter(replica -> replica.stage() == ReplicaStage.RUNNING)
                .toList();
        JobObservation before =
                new JobObservation(alive.stream().map(DriverCostGrowth::running).toList());
        Reconciler policies = Reconciler.standard();
        JobState state = policies.reconcile(run.plan(), run.state(), before, Instant.now())
                .next();
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < DECISIONS; i++) {
            ObservedReplica leaving =
                    running(alive.get(1 + i % (alive.size() - 1))).beingDeleted();
            long begin = System.nanoTime();
            JobObservation seen = before.with(List.of(leaving), List.of());
            policies.reconcile(run.plan(), state, seen, Instant.now());
            times.add((System.nanoTime() - begin) / 1e6);
        }
        return RoundRatios.median(times);
    }

    private static ObservedReplica running(ReplicaState replica) {
        return ObservedReplica.of(replica.name(), replica.role(), replica.id(), ObservedPhase.RUNNING);
    }

    private static double used() {
        // One collection may not free all soft or cleaned references.
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
