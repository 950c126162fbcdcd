package dev.edl.operators.crd.et;

import dev.edl.spec.RoleType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Request to change the number of a running job's workers.
 *
 * <pre>{@code
 * ScaleRequest.out("elastic-training", 2).timeout(Duration.ofMinutes(5));
 * ScaleRequest.in("elastic-training", 1);                                        // those of the highest index
 * ScaleRequest.in("elastic-training", List.of("elastic-training-worker-1"));     // these
 * }</pre>
 *
 * <p>An immutable, thread-safe value.
 */
public final class ScaleRequest {
    /** Default timeout, which is that of et-operator. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final String namespace;
    private final String job;
    private final int change;
    private final List<String> pods;
    private final Duration timeout;

    private ScaleRequest(String namespace, String job, int change, List<String> pods, Duration timeout) {
        this.namespace = Objects.requireNonNull(namespace, "namespace");
        this.job = Objects.requireNonNull(job, "job");
        this.change = change;
        this.pods = List.copyOf(pods);
        this.timeout = timeout;
    }

    /**
     * Returns a request that adds workers.
     *
     * @param job the name of the job
     * @param count number of workers to add, at least 1
     * @throws IllegalArgumentException when the count is less than 1
     */
    public static ScaleRequest out(String job, int count) {
        return new ScaleRequest("default", job, atLeastOne("out", count), List.of(), TIMEOUT);
    }

    /**
     * Returns a request that removes the workers with the highest indexes.
     *
     * @param job the name of the job
     * @param count at least 1
     * @throws IllegalArgumentException for another count
     */
    public static ScaleRequest in(String job, int count) {
        return new ScaleRequest("default", job, -atLeastOne("in", count), List.of(), TIMEOUT);
    }

    /**
     * Returns a request that removes these workers.
     *
     * @param job the name of the job
     * @param pods names of the workers' pods, at least one, each only once
     * @throws IllegalArgumentException for an empty list, or a name that no worker of the job can have. et-operator
     *     would delete all workers if none of the named pods existed
     */
    public static ScaleRequest in(String job, List<String> pods) {
        for (String pod : pods) {
            if (!pod.startsWith(job + "-worker-")
                    || !pod.substring(job.length()).matches("-worker-\\d{1,9}")) {
                throw new IllegalArgumentException(
                        "a worker of " + job + " must be named, was \"" + pod + "\"; for example " + job + "-worker-1");
            }
        }
        if (pods.stream().distinct().count() != pods.size()) {
            throw new IllegalArgumentException("each worker must be named once, was " + pods);
        }
        if (pods.isEmpty()) {
            throw new IllegalArgumentException("in(job, pods) needs at least one pod, was given none; for example"
                    + " in(\"mnist\", List.of(\"mnist-worker-1\"))");
        }
        return new ScaleRequest("default", job, -pods.size(), pods, TIMEOUT);
    }

    private static int atLeastOne(String what, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(what + "(job, count) needs a count of at least 1, was " + count
                    + "; for example " + what + "(\"mnist\", 2)");
        }
        return count;
    }

    /** Returns a copy for a job in another namespace; the default is {@code default}. */
    public ScaleRequest namespace(String namespace) {
        return new ScaleRequest(namespace, job, change, pods, timeout);
    }

    /**
     * Returns a copy with another timeout; the default is 60 s.
     *
     * @param timeout time after which the request fails and is rolled back, more than zero
     * @throws IllegalArgumentException when the timeout is not positive
     */
    public ScaleRequest timeout(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must be more than zero, was " + timeout + "; for example PT5M");
        }
        return new ScaleRequest(namespace, job, change, pods, timeout);
    }

    /** Returns the job's namespace. */
    public String namespace() {
        return namespace;
    }

    /** Returns the job's name. */
    public String job() {
        return job;
    }

    /** Returns the role that is scaled, always {@code WORKER}. */
    public RoleType role() {
        return RoleType.WORKER;
    }

    /** Returns the difference by which the number of workers changes; negative to scale in. */
    public int change() {
        return change;
    }

    /**
     * Returns the names of the pods to remove; empty to remove the workers with the highest indexes, or to scale out.
     */
    public List<String> pods() {
        return pods;
    }

    /** Returns the timeout. */
    public Duration timeout() {
        return timeout;
    }

    /**
     * Returns the number of workers that a job has after this request, for {@code handle.scale("worker", n)}.
     *
     * @param current number of workers before the request
     * @throws IllegalArgumentException when none would be left, or more than 2147483647
     */
    public int replicas(int current) {
        if ((long) current + change > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("scaling out by " + change + " makes " + ((long) current + change)
                    + " workers of " + current + ", which must be at most " + Integer.MAX_VALUE
                    + "; for example out(\"mnist\", 2)");
        }
        if (current + change < 1) {
            throw new IllegalArgumentException("scaling in by " + -change + " leaves no worker of " + current
                    + "; .spec.toDelete.count should be less than current replicas " + current);
        }
        return current + change;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScaleRequest that
                && namespace.equals(that.namespace)
                && job.equals(that.job)
                && change == that.change
                && pods.equals(that.pods)
                && timeout.equals(that.timeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(namespace, job, change, pods, timeout);
    }

    /**
     * Returns for example {@code scale default/elastic-training worker by -1 [elastic-training-worker-1] within PT1M}.
     */
    @Override
    public String toString() {
        return "scale " + namespace + "/" + job + " " + role() + " by " + (change > 0 ? "+" : "") + change
                + (pods.isEmpty() ? "" : " " + pods) + " within " + timeout;
    }
}
