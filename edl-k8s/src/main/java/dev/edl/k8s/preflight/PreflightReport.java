package dev.edl.k8s.preflight;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Everything that would stop a job, found without making anything.
 *
 * <pre>{@code
 * PreflightReport report = executor.preflight(job);
 * System.out.println(report);
 * report.throwIfAny();
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param job its name
 * @param namespace where it is to run
 * @param problems errors first, then warnings, then what could not be looked at
 */
public record PreflightReport(String job, String namespace, List<Problem> problems) {
    /** Sorts the problems by severity. */
    public PreflightReport {
        problems = problems.stream()
                .sorted((one, other) -> one.severity().compareTo(other.severity()))
                .toList();
    }

    /** Whether nothing stops the job: no problem is an error; there may be warnings, and what could not be looked at. */
    public boolean ok() {
        return errors().isEmpty();
    }

    /** What stops the job. */
    public List<Problem> errors() {
        return of(Severity.ERROR);
    }

    /** What lets it start, but not as it is meant. */
    public List<Problem> warnings() {
        return of(Severity.WARNING);
    }

    /** What could not be looked at. */
    public List<Problem> notChecked() {
        return of(Severity.NOT_CHECKED);
    }

    private List<Problem> of(Severity severity) {
        return problems.stream()
                .filter(problem -> problem.severity() == severity)
                .toList();
    }

    /**
     * Ends here when an error was found; not for warnings, nor for what could not be looked at.
     *
     * @throws PreflightException with this report
     */
    public void throwIfAny() {
        if (!ok()) {
            throw new PreflightException(this);
        }
    }

    /** The report as a person reads it: a line of counts, then each problem with its reason and its fix. */
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
