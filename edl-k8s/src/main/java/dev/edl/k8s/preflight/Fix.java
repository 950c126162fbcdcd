package dev.edl.k8s.preflight;

import java.util.Optional;

/**
 * What makes a problem go away.
 *
 * @param advice in words, mostly a line of a builder
 * @param command a line for a shell, when one does it; run by an account with the right to
 */
public record Fix(String advice, Optional<String> command) {
    static Fix of(String advice) {
        return new Fix(advice, Optional.empty());
    }

    static Fix of(String advice, String command) {
        return new Fix(advice, Optional.of(command));
    }

    /** A command that makes an object. */
    static Fix creating(String advice, String json) {
        return of(advice, "echo '" + json + "' | kubectl create --filename -");
    }

    /** The advice, and the command behind a {@code $} on a line of its own. */
    @Override
    public String toString() {
        return advice + command.map(line -> "\n$ " + line).orElse("");
    }
}
