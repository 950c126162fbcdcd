package dev.edl.operators.controller;

/**
 * The limits of the replicas that a {@link Controller} drives for all users together. A replica takes some 28 KiB of its heap. A job
 * counts with the largest number of replicas that it may be scaled to. Immutable.
 *
 * <p>A job beyond a limit is not begun; its status says why, and it begins when there is room. A job that was begun is driven whatever
 * the limits are.
 *
 * @param perJob of one job
 * @param perNamespace of all jobs of a namespace
 * @param total of all jobs
 */
public record ReplicaLimits(int perJob, int perNamespace, int total) {
    /** 1,000 of a job, 5,000 of a namespace and 10,000 in all, for which 512 MiB of heap are enough. */
    public static final ReplicaLimits STANDARD = new ReplicaLimits(1_000, 5_000, 10_000);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException when one is not positive
     */
    public ReplicaLimits {
        positive("perJob", perJob);
        positive("perNamespace", perNamespace);
        positive("total", total);
    }

    private static void positive(String name, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "replica limit " + name + " must be at least 1, was " + limit + "; for example 1000");
        }
    }

    /** Returns the same with another limit of one job. */
    public ReplicaLimits perJob(int replicas) {
        return new ReplicaLimits(replicas, perNamespace, total);
    }

    /** Returns the same with another limit of a namespace. */
    public ReplicaLimits perNamespace(int replicas) {
        return new ReplicaLimits(perJob, replicas, total);
    }

    /** Returns the same with another limit of all jobs. */
    public ReplicaLimits total(int replicas) {
        return new ReplicaLimits(perJob, perNamespace, replicas);
    }
}
