package dev.edl.testkit.cluster;

import dev.edl.Job;
import dev.edl.Resources;
import dev.edl.exec.JobExecutor;
import dev.edl.plan.JobPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster on paper, on which a test runs a job as it would run on Kubernetes: with the same decisions of EDL's core, on nodes
 * with room, priorities and preemption, and a time that only moves when the test says so. No thread, no port, no sleep: the same
 * calls give the same events, on every machine.
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
 * <p>Each call returns when nothing happens any more before time moves on: pods have got their nodes, run or are gone, and the
 * jobs have decided what follows. {@link #advance} moves the time through everything that is due in it: backoff, deadlines, the
 * time to live.
 *
 * <p>Room is what pods request of {@code cpu}, {@code memory} and devices. Who gets it, and who gives way, is as kube-scheduler
 * does it by default: the highest priority first, then the oldest; the node with the most room left; fewest and lowest victims.
 * What a simulated cluster has not: images, networks, taints, affinity, quotas. Nothing runs in a pod, so the test says how one
 * ends, by {@link SimulatedJob#exit}.
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

    /** Begins to say what the cluster has. */
    public static Builder builder() {
        return new Builder();
    }

    /** A cluster of equal nodes, {@code node-1} and so on, without PriorityClasses. */
    public static SimulatedCluster ofNodes(int count, String resources) {
        return builder().nodes(count, resources).build();
    }

    /** What a cluster has; not thread-safe. */
    public static final class Builder {
        final Map<String, Resources> nodes = new LinkedHashMap<>();
        final Map<String, Integer> priorities = new LinkedHashMap<>();
        Duration starting = Duration.ZERO;
        Duration leaving = Duration.ZERO;
        Instant start = Instant.parse("2026-01-01T00:00:00Z");

        private Builder() {}

        /**
         * A node.
         *
         * @param resources what it has to give, {@code cpu=8,memory=30Gi,gpu=4}
         * @throws IllegalArgumentException when there is a node of the name, or the text is outside the grammar of
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

        /** So many equal nodes more, {@code node-1} and so on. */
        public Builder nodes(int count, String resources) {
            for (int i = 0; i < count; i++) {
                node("node-" + (nodes.size() + 1), resources);
            }
            return this;
        }

        /** A PriorityClass. Pods without one have 0. */
        public Builder priorityClass(String name, int value) {
            priorities.put(name, value);
            return this;
        }

        /** How long a pod that has a node takes to run; the default is no time. */
        public Builder startsAfter(Duration time) {
            starting = checked("startsAfter", time);
            return this;
        }

        /** How long a pod that was told to go, with its grace, takes to be gone; the default is no time. */
        public Builder leavesAfter(Duration time) {
            leaving = checked("leavesAfter", time);
            return this;
        }

        /** The time at first; the default is the beginning of 2026, UTC. */
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
         * The cluster.
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
     * Starts a planned job.
     *
     * @throws IllegalArgumentException when a job of this name is running here, or a role asks for a PriorityClass that the cluster
     *     has not
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

    /** The time. */
    public Instant now() {
        return simulation.instant();
    }

    /**
     * Lets time pass, and with it all that is due.
     *
     * @throws IllegalArgumentException for a negative time
     */
    public void advance(Duration time) {
        simulation.advance(Builder.checked("advance", time));
    }

    /**
     * Pods that belong to no job, as of a Deployment: one that goes is made anew.
     *
     * @param requests of each pod, {@code cpu=2,memory=4Gi}
     * @param priorityClass of the cluster; empty: none
     * @throws IllegalArgumentException when there is one of the name, or no such class
     */
    public void deployment(String name, int replicas, String requests, String priorityClass) {
        simulation.deployment(name, replicas, Resources.parse(requests), priorityClass);
        simulation.settle();
    }

    /**
     * Gives a deployment another number of pods; those that wait go first, then the youngest.
     *
     * @throws IllegalArgumentException when there is none of the name, or the number is negative
     */
    public void scaleDeployment(String name, int replicas) {
        simulation.scaleDeployment(name, replicas);
        simulation.settle();
    }

    /** How many pods of a deployment run. */
    public int running(String deployment) {
        return simulation.running(deployment);
    }

    /**
     * Adds a node.
     *
     * @throws IllegalArgumentException when there is one of the name
     */
    public void addNode(String name, String resources) {
        simulation.addNode(name, Resources.parse(resources));
        simulation.settle();
    }

    /**
     * A node is gone, and with it its pods.
     *
     * @throws IllegalArgumentException when there is none of the name
     */
    public void removeNode(String name) {
        simulation.removeNode(name);
        simulation.settle();
    }

    /**
     * A node takes no new pods, as it is about to go: jobs let their workers leave it.
     *
     * @throws IllegalArgumentException when there is none of the name
     */
    public void cordon(String node) {
        simulation.cordon(node, true);
        simulation.settle();
    }

    /**
     * A node takes new pods again.
     *
     * @throws IllegalArgumentException when there is none of the name
     */
    public void uncordon(String node) {
        simulation.cordon(node, false);
        simulation.settle();
    }

    /** Returns which pod had which node, and when: of jobs and deployments, in the order in which they got their nodes. */
    public List<PodSpan> timeline() {
        return simulation.timeline();
    }

    /** Ends the simulation. */
    @Override
    public void close() {
        closed = true;
        jobs.values().forEach(SimulatedJob::close);
    }

    /** The time, and every pod with its node. */
    @Override
    public String toString() {
        return simulation.toString();
    }
}
