package dev.edl.k8s.preflight;

/** Thrown for a job that would not run; the message is the whole report. */
public final class PreflightException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient PreflightReport report;

    PreflightException(PreflightReport report) {
        super(report.toString());
        this.report = report;
    }

    /** Returns the report. */
    public PreflightReport report() {
        return report;
    }
}
