package dev.edl.k8s.queue;

import dev.edl.Job;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.plan.JobPlan;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Queue of Kueue that admits a job's pods, and their places in it, as the cluster has them at one moment.
 *
 * <pre>{@code
 * run.queue().ifPresent(System.out::println);
 * // queue team-a of ClusterQueue vision
 * //   master, ps-0, worker-0 have quota: cpu, memory of flavor spot
 * //   worker-1 waits, number 1 of 2 of its namespace: insufficient unused quota for cpu in flavor spot, 1 more needed
 * }</pre>
 *
 * @param name name of the LocalQueue
 * @param clusterQueue the ClusterQueue that has the quota; empty when it is unknown
 * @param problems why the queue admits nothing, or was not read; empty when it is active and was read
 * @param admissions the job's pods, by the Workloads of Kueue that have not ended
 */
public record JobQueue(String name, Optional<String> clusterQueue, List<String> problems, List<Admission> admissions) {
    /** Copies the lists. */
    public JobQueue {
        problems = List.copyOf(problems);
        admissions = List.copyOf(admissions);
    }

    /**
     * Pods of a job that Kueue admits together, or one pod that it admits by itself.
     *
     * @param replicas short names of the replicas, {@code worker-1}
     * @param place place among the Workloads of the namespace that wait in the queue, from 1; empty for admitted pods
     * @param waiting number of Workloads of the namespace that wait in the queue
     * @param missing what the pods wait for, in Kueue's words; empty for admitted pods
     * @param flavors the flavors that the pods got, each with its resources, sorted; empty for waiting pods
     */
    public record Admission(
            List<String> replicas,
            OptionalInt place,
            int waiting,
            String missing,
            SortedMap<String, SortedSet<String>> flavors) {
        /** Copies the list and the map. */
        public Admission {
            replicas = List.copyOf(replicas);
            flavors = Collections.unmodifiableSortedMap(new TreeMap<>(flavors));
        }

        /** Returns whether the pods have their quota. */
        public boolean admitted() {
            return place.isEmpty();
        }

        private String number() {
            return "number " + place.orElseThrow() + " of " + waiting + " of its namespace";
        }

        private String reason() {
            return missing.isEmpty() ? "" : ": " + missing;
        }

        @Override
        public String toString() {
            String names = String.join(", ", replicas);
            boolean one = replicas.size() == 1;
            if (!admitted()) {
                return names + (one ? " waits, " : " wait together, ") + number() + reason();
            }
            return names
                    + (one ? " has quota: " : " have quota: ")
                    + flavors.entrySet().stream()
                            .map(flavor -> String.join(", ", flavor.getValue()) + " of flavor " + flavor.getKey())
                            .collect(Collectors.joining("; "));
        }
    }

    /**
     * Explains a job's requests to Kueue, before it is submitted: the pods that are admitted together. A queue of
     * {@code PodOptions} is not part of a plan.
     *
     * @return empty when the job's labels name no queue
     * @throws dev.edl.plan.PlanException when the job has a queue but cannot run as specified
     */
    public static Optional<String> explain(Job job) {
        if (!job.spec().labels().containsKey(KueueMetadata.QUEUE)) {
            return Optional.empty();
        }
        JobPlan plan = job.plan();
        return KueueMetadata.labelled(plan).map(queue -> {
            String group = plan.roles().stream()
                    .filter(role -> KueueMetadata.members(plan, role) > 0)
                    .map(role -> role.type().id() + " x " + KueueMetadata.members(plan, role))
                    .collect(Collectors.joining(", "));
            return "queue " + queue + ": Kueue admits "
                    + (group.isEmpty() ? "each pod" : group + " together, and each further pod") + " by itself";
        });
    }

    /**
     * Returns why a replica waits in the queue.
     *
     * @param replica short name of the replica; one without a pod waits for the job's group
     * @return empty when it is admitted, or its Workload is unknown
     */
    public Optional<String> whyPending(String replica) {
        return admissions.stream()
                .filter(one -> one.replicas().contains(replica))
                .findFirst()
                .or(() -> admissions.stream()
                        .filter(one -> one.replicas().size() > 1)
                        .findFirst())
                .filter(one -> !one.admitted())
                .map(one -> Stream.concat(
                                Stream.of("it waits for Kueue to admit it from queue \"" + name + "\", in which it is "
                                        + one.number() + one.reason()),
                                problems.stream())
                        .collect(Collectors.joining("; ")));
    }

    /** Returns a line with the queue, and one line for each problem and each admission. */
    @Override
    public String toString() {
        return Stream.concat(problems.stream(), admissions.stream().map(Admission::toString))
                .map(line -> "  " + line + "\n")
                .collect(Collectors.joining(
                        "",
                        "queue " + name
                                + clusterQueue
                                        .map(one -> " of ClusterQueue " + one)
                                        .orElse("") + "\n",
                        ""));
    }
}
