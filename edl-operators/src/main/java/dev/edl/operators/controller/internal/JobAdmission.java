package dev.edl.operators.controller.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Admission of jobs within a controller's replica limits. Thread-safe. */
public final class JobAdmission {
    private final int perJob;
    private final int perNamespace;
    private final int total;
    private final Map<ObjectKey, Integer> admitted = new HashMap<>();

    /** Thrown for a job that exceeds a limit, now or until other jobs end. */
    static final class TooManyReplicasException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        TooManyReplicasException(String message) {
            super(message);
        }
    }

    /**
     * Creates the admission.
     *
     * @param perJob maximum number of replicas of one job
     * @param perNamespace maximum number of replicas of all jobs in one namespace
     * @param total maximum number of replicas of all jobs
     */
    public JobAdmission(int perJob, int perNamespace, int total) {
        this.perJob = perJob;
        this.perNamespace = perNamespace;
        this.total = total;
    }

    /**
     * Admits a job if it fits the limits or was started before, and counts its replicas until {@link #release}. If it
     * is admitted already, updates its number of replicas.
     *
     * @param replicas largest number of replicas that the job may have
     * @param begun returns whether this or another controller started the job before; called only if the job exceeds a
     *     limit
     * @throws TooManyReplicasException when the job exceeds a limit and was not started before
     */
    public void admit(ObjectKey key, int replicas, BooleanSupplier begun) {
        String refusal;
        synchronized (this) {
            refusal = refusal(key, replicas);
            if (refusal.isEmpty()) {
                admitted.put(key, replicas);
                return;
            }
        }
        if (!begun.getAsBoolean()) {
            throw new TooManyReplicasException(refusal);
        }
        synchronized (this) {
            admitted.put(key, replicas);
        }
    }

    private String refusal(ObjectKey key, int replicas) {
        if (replicas > perJob) {
            return beyond(key, replicas, "", perJob, "-per-job", "; make the job smaller");
        }
        int namespace = others(key, key.namespace());
        if (namespace > perNamespace - replicas) {
            String others = " on top of the " + namespace + " of other jobs in namespace \"" + key.namespace() + "\"";
            return beyond(
                    key, replicas, others, perNamespace, "-per-namespace", "; it starts once other jobs have ended");
        }
        int all = others(key, "");
        if (all > total - replicas) {
            String others = " on top of the " + all + " of other jobs";
            return beyond(key, replicas, others, total, "", "; it starts once other jobs have ended");
        }
        return "";
    }

    private static String beyond(ObjectKey key, int replicas, String others, int limit, String option, String wayOut) {
        String kind = key.kind().substring(0, key.kind().indexOf('.'));
        return kind + " " + key.name() + " may have " + replicas + " replicas" + others
                + ", and this controller accepts at most " + limit + wayOut
                + ", or start the controller with --max-replicas"
                + option + " and a greater number";
    }

    private int others(ObjectKey key, String namespace) {
        return admitted.entrySet().stream()
                .filter(one -> !one.getKey().equals(key))
                .filter(one -> namespace.isEmpty() || one.getKey().namespace().equals(namespace))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    public synchronized void release(ObjectKey key) {
        admitted.remove(key);
    }

    public synchronized int jobs() {
        return admitted.size();
    }

    public synchronized int replicas() {
        return admitted.values().stream().mapToInt(Integer::intValue).sum();
    }
}
