package dev.edl.k8s.preflight;

/** How sure it is that a job will not run. */
public enum Severity {
    /** The cluster refuses the job as it is, or a replica of it can never start. */
    ERROR("error"),
    /** The job starts, but not all of it, or only once the cluster changes, as when it adds nodes by itself. */
    WARNING("warning"),
    /** It could not be looked at, mostly since the client may not. Nothing is wrong as far as is known. */
    NOT_CHECKED("not checked");

    private final String word;

    Severity(String word) {
        this.word = word;
    }

    /** {@code error}, {@code warning}, {@code not checked}. */
    @Override
    public String toString() {
        return word;
    }
}
