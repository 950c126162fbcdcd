package dev.edl.operators.controller;

/**
 * Limits on the replicas that a {@link Controller} drives for all users together. A replica takes about 28 KiB of the
 * controller's heap. A job counts with the largest number of replicas that it may have. Immutable.
 *
 * <p>If a job would exceed a limit, the controller does not start it, and its status gives the reason. The job starts
 * once the limits permit it. A job that was started before is driven regardless of the limits.
 *
 * @param perJob maximum number of replicas of one job
 * @param perNamespace maximum number of replicas of all jobs in one namespace
 * @param total maximum number of replicas of all jobs
 */
public record ReplicaQuotas(int perJob, int perNamespace, int total) {
    /**
     * Default limits: 1,000 replicas per job, 5,000 per namespace and 10,000 in total, for which 512 MiB of heap are
     * enough.
     */
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

    /** Returns a copy with another limit on the replicas of one job. */
    public ReplicaQuotas perJob(int replicas) {
        return new ReplicaQuotas(replicas, perNamespace, total);
    }

    /** Returns a copy with another limit on the replicas of all jobs in one namespace. */
    public ReplicaQuotas perNamespace(int replicas) {
        return new ReplicaQuotas(perJob, replicas, total);
    }

    /** Returns a copy with another limit on the replicas of all jobs. */
    public ReplicaQuotas total(int replicas) {
        return new ReplicaQuotas(perJob, perNamespace, replicas);
    }
}
