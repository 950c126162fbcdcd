package dev.edl.k8s.preflight;

/** Certainty that a job will not run. */
public enum Severity {
    /** The API server refuses the job, or one of its replicas can never start. */
    ERROR("error"),
    /** The job starts only in part, or only after the cluster changes, for example when an autoscaler adds nodes. */
    WARNING("warning"),
    /** The check could not read the cluster, mostly for lack of a permission. No problem is known. */
    NOT_CHECKED("not checked");

    private final String word;

    Severity(String word) {
        this.word = word;
    }

    /** Returns {@code error}, {@code warning} or {@code not checked}. */
    @Override
    public String toString() {
        return word;
    }
}
