package dev.edl.k8s.preflight;

import java.util.Optional;

/**
 * Remedy for a problem.
 *
 * @param advice what to change, mostly a call of a builder method
 * @param command shell command that solves the problem, to be run by an account with the necessary permission; empty if
 *     no command does
 */
public record ProblemFix(String advice, Optional<String> command) {
    static ProblemFix of(String advice) {
        return new ProblemFix(advice, Optional.empty());
    }

    static ProblemFix of(String advice, String command) {
        return new ProblemFix(advice, Optional.of(command));
    }

    /** Returns a fix whose command creates an object. */
    static ProblemFix creating(String advice, String json) {
        return of(advice, "echo '" + json + "' | kubectl create --filename -");
    }

    /** Returns the advice, then the command after {@code $} on its own line. */
    @Override
    public String toString() {
        return advice + command.map(line -> "\n$ " + line).orElse("");
    }
}
