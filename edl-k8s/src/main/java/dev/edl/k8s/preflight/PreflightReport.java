package dev.edl.k8s.preflight;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Immutable result of preflight: everything that would stop a job.
 *
 * <pre>{@code
 * PreflightReport report = executor.preflight(job);
 * System.out.println(report);
 * report.throwIfAny();
 * }</pre>
 *
 * @param job name of the job
 * @param namespace namespace of the job
 * @param problems errors first, then warnings, then topics that could not be checked
 */
public record PreflightReport(String job, String namespace, List<Problem> problems) {
    /** Sorts the problems by severity. */
    public PreflightReport {
        problems = problems.stream()
                .sorted((one, other) -> one.severity().compareTo(other.severity()))
                .toList();
    }

    /** Returns whether no problem is an error. Warnings and unchecked topics may remain. */
    public boolean ok() {
        return errors().isEmpty();
    }

    /** Returns the problems that stop the job. */
    public List<Problem> errors() {
        return of(Severity.ERROR);
    }

    /** Returns the problems with which the job starts, but not as intended. */
    public List<Problem> warnings() {
        return of(Severity.WARNING);
    }

    /** Returns the topics that could not be checked. */
    public List<Problem> notChecked() {
        return of(Severity.NOT_CHECKED);
    }

    private List<Problem> of(Severity severity) {
        return problems.stream()
                .filter(problem -> problem.severity() == severity)
                .toList();
    }

    /**
     * Throws if there is an error; warnings and unchecked topics do not count.
     *
     * @throws PreflightException with this report
     */
    public void throwIfAny() {
        if (!ok()) {
            throw new PreflightException(this);
        }
    }

    /** Returns the report for people: a line of counts, then each problem with its reason and its fix. */
    @Override
    public String toString() {
        String head = "job \"" + job + "\" in namespace \"" + namespace + "\": " + count(errors(), "error") + ", "
                + count(warnings(), "warning") + ", " + notChecked().size() + " not checked";
        return problems.stream().map(problem -> "\n" + problem).collect(Collectors.joining("", head, ""));
    }

    private static String count(List<Problem> problems, String word) {
        return problems.size() + " " + word + (problems.size() == 1 ? "" : "s");
    }
}
