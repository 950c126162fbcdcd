package dev.edl.testkit.cluster;

import dev.edl.Job;
import dev.edl.exec.JobExecutor;
import dev.edl.plan.JobPlan;
import dev.edl.spec.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Simulated Kubernetes cluster for tests of a job's behaviour. EDL's core drives the job as on Kubernetes; the
 * simulated nodes have resources, and pods have priorities and are preempted. Time moves only when the test advances
 * it. There are no threads, ports or sleeps: the same calls give the same events on every machine.
 *
 * <pre>{@code
 * try (SimulatedCluster cluster = SimulatedCluster.builder()
 *     .nodes(3, "cpu=4,memory=16Gi")
 *     .priorityClass("high", 1000)
 *     .priorityClass("low", 1)
 *     .build()) {
 *   SimulatedJob job = cluster.submit(mnist);
 *   job.delete("worker-0");                                // worker-4 takes over
 *   cluster.deployment("web", 5, "cpu=2", "high");         // preempts workers
 *   cluster.scaleDeployment("web", 1);                     // and gives the room back
 *   job.exit("master", 0);
 *   assertThat(job.status().phase()).isEqualTo(JobPhase.SUCCEEDED);
 * }
 * }</pre>
 *
 * <p>Each call returns once nothing more happens without a passage of time: pods have been placed, started or removed,
 * and all reconcile passes that are due have run. {@link #advance} runs everything that becomes due: backoff,
 * deadlines, the time to live.
 *
 * <p>A node's resources are {@code cpu}, {@code memory} and devices; pods occupy their requests. Placement and
 * preemption follow kube-scheduler's defaults. The pod with the highest priority is placed first, then the oldest, on
 * the node with the most free resources. Preemption takes the node whose victims have the lowest priorities, and then
 * as few victims as suffice. Images, networks, taints, affinity and quotas are not simulated. No program runs in a pod,
 * so the test ends pods by {@link SimulatedJob#exit}.
 *
 * <p>Not thread-safe.
 */
public final class SimulatedCluster implements JobExecutor {
    private final ClusterSimulation simulation;
    private final Map<String, SimulatedJob> jobs = new LinkedHashMap<>();
    private boolean closed;

    private SimulatedCluster(Builder builder) {
        this.simulation = new ClusterSimulation(builder);
    }

    /** Creates a builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a cluster of equal nodes, {@code node-1} and so on, without PriorityClasses. */
    public static SimulatedCluster ofNodes(int count, String resources) {
        return builder().nodes(count, resources).build();
    }

    /** Builder of a cluster; not thread-safe. */
    public static final class Builder {
        final Map<String, Resources> nodes = new LinkedHashMap<>();
        final Map<String, Integer> priorities = new LinkedHashMap<>();
        Duration starting = Duration.ZERO;
        Duration leaving = Duration.ZERO;
        Instant start = Instant.parse("2026-01-01T00:00:00Z");

        private Builder() {}

        /**
         * Adds a node.
         *
         * @param resources allocatable resources of the node, such as {@code cpu=8,memory=30Gi,gpu=4}
         * @throws IllegalArgumentException when a node with this name exists, or the text is outside the grammar of
         *     {@link Resources#parse}
         */
        public Builder node(String name, String resources) {
            Resources room = Resources.parse(resources);
            if (nodes.putIfAbsent(name, room) != null) {
                throw new IllegalArgumentException(
                        "there is a node \"" + name + "\" already; nodes are " + nodes.keySet());
            }
            return this;
        }

        /** Adds equal nodes, {@code node-1} and so on. */
        public Builder nodes(int count, String resources) {
            for (int i = 0; i < count; i++) {
                node("node-" + (nodes.size() + 1), resources);
            }
            return this;
        }

        /** Adds a PriorityClass. Pods without one have priority 0. */
        public Builder priorityClass(String name, int value) {
            priorities.put(name, value);
            return this;
        }

        /** Sets the time from a pod's placement on a node until it runs; by default zero. */
        public Builder startsAfter(Duration time) {
            starting = checked("startsAfter", time);
            return this;
        }

        /**
         * Sets how long a deleted pod takes to end and to be removed, which is the part of its grace period that it
         * uses; 0 by default.
         */
        public Builder leavesAfter(Duration time) {
            leaving = checked("leavesAfter", time);
            return this;
        }

        /** Sets the initial time; by default the beginning of 2026, UTC. */
        public Builder startAt(Instant time) {
            start = time;
            return this;
        }

        private static Duration checked(String what, Duration time) {
            if (time.isNegative()) {
                throw new IllegalArgumentException(
                        what + " must not be negative, was " + time + "; for example Duration.ofSeconds(5)");
            }
            return time;
        }

        /**
         * Builds the cluster.
         *
         * @throws IllegalArgumentException when it has no node
         */
        public SimulatedCluster build() {
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException(
                        "a cluster needs a node to run anything; for example .nodes(3, \"cpu=8,memory=30Gi\")");
            }
            return new SimulatedCluster(this);
        }
    }

    @Override
    public SimulatedJob submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Submits a planned job.
     *
     * @throws IllegalArgumentException when a job with this name has not ended on this cluster, or a role requests a
     *     PriorityClass that the cluster does not have
     * @throws IllegalStateException when the cluster is closed
     */
    @Override
    public SimulatedJob submit(JobPlan plan) {
        if (closed) {
            throw new IllegalStateException("the cluster is closed; job \"" + plan.name() + "\" needs a new one");
        }
        SimulatedJob old = jobs.get(plan.name());
        if (old != null && !old.status().phase().ended()) {
            throw new IllegalArgumentException(
                    "job \"" + plan.name() + "\" is running here already; cancel it, or give the new one another name");
        }
        simulation.checkPriorities(plan);
        if (old != null) {
            simulation.collect(plan.name());
        }
        SimulatedJob job = new SimulatedJob(plan, simulation);
        jobs.put(plan.name(), job);
        simulation.settle();
        return job;
    }

    @Override
    public List<SimulatedJob> jobs() {
        return new ArrayList<>(jobs.values());
    }

    /** Returns the simulated time. */
    public Instant now() {
        return simulation.instant();
    }

    /**
     * Advances the time and runs everything that becomes due meanwhile.
     *
     * @throws IllegalArgumentException for a negative time
     */
    public void advance(Duration time) {
        simulation.advance(Builder.checked("advance", time));
    }

    /**
     * Adds pods that belong to no job, as of a Deployment: a removed pod is replaced.
     *
     * @param requests resources that each pod requests, such as {@code cpu=2,memory=4Gi}
     * @param priorityClass PriorityClass of the pods, which the cluster must have; empty for none
     * @throws IllegalArgumentException when a deployment with this name exists, or the cluster does not have the
     *     PriorityClass
     */
    public void deployment(String name, int replicas, String requests, String priorityClass) {
        simulation.deployment(name, replicas, Resources.parse(requests), priorityClass);
        simulation.settle();
    }

    /**
     * Sets the number of pods of a deployment. If it has more, pending pods are removed first, then the youngest.
     *
     * @throws IllegalArgumentException when the deployment does not exist, or the number is negative
     */
    public void scaleDeployment(String name, int replicas) {
        simulation.scaleDeployment(name, replicas);
        simulation.settle();
    }

    /** Returns the number of running pods of a deployment. */
    public int running(String deployment) {
        return simulation.running(deployment);
    }

    /**
     * Adds a node.
     *
     * @throws IllegalArgumentException when a node with this name exists
     */
    public void addNode(String name, String resources) {
        simulation.addNode(name, Resources.parse(resources));
        simulation.settle();
    }

    /**
     * Removes a node with its pods.
     *
     * @throws IllegalArgumentException when the node does not exist
     */
    public void removeNode(String name) {
        simulation.removeNode(name);
        simulation.settle();
    }

    /**
     * Cordons a node, as before a drain: the node accepts no new pods, and jobs relaunch its workers on other nodes.
     *
     * @throws IllegalArgumentException when the node does not exist
     */
    public void cordon(String node) {
        simulation.cordon(node, true);
        simulation.settle();
    }

    /**
     * Uncordons a node, so that it accepts new pods.
     *
     * @throws IllegalArgumentException when the node does not exist
     */
    public void uncordon(String node) {
        simulation.cordon(node, false);
        simulation.settle();
    }

    /**
     * Returns, for each pod of a job or deployment that was placed on a node, the period on that node; in the order of
     * placement.
     */
    public List<PodPlacementPeriod> timeline() {
        return simulation.timeline();
    }

    /** Closes the cluster and all jobs; it then accepts no further job. */
    @Override
    public void close() {
        closed = true;
        jobs.values().forEach(SimulatedJob::close);
    }

    /** Returns the time, and every pod with its node. */
    @Override
    public String toString() {
        return simulation.toString();
    }
}
