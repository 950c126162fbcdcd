package dev.edl.operators.controller;

/**
 * Limits on the replicas that a {@link Controller} drives for all users together. A replica takes some 28 KiB of its
 * heap. A job counts with its largest number of replicas. Immutable.
 *
 * <p>A job beyond a limit is not started; its status gives the reason. It starts when the limit permits. A started job
 * is driven whatever the limits are.
 *
 * @param perJob of one job
 * @param perNamespace of all jobs of a namespace
 * @param total of all jobs
 */
public record ReplicaQuotas(int perJob, int perNamespace, int total) {
    /** 1,000 per job, 5,000 per namespace and 10,000 in total, for which 512 MiB of heap are enough. */
    public static final ReplicaQuotas STANDARD = new ReplicaQuotas(1_000, 5_000, 10_000);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException when a limit is not positive
     */
    public ReplicaQuotas {
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

    /** Returns a copy with another limit per job. */
    public ReplicaQuotas perJob(int replicas) {
        return new ReplicaQuotas(replicas, perNamespace, total);
    }

    /** Returns a copy with another limit per namespace. */
    public ReplicaQuotas perNamespace(int replicas) {
        return new ReplicaQuotas(perJob, replicas, total);
    }

    /** Returns a copy with another limit for all jobs. */
    public ReplicaQuotas total(int replicas) {
        return new ReplicaQuotas(perJob, perNamespace, replicas);
    }
}
