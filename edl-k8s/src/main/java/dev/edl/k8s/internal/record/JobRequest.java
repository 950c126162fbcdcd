package dev.edl.k8s.internal.record;

import dev.edl.reconcile.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Request of another program to the driver of a job, as a line of the record: {@code ID scale worker 6} or {@code ID
 * cancel}.
 *
 * @param id identifier that the requester chose
 * @param role id of the role to scale; empty for a cancellation
 * @param replicas requested number of replicas; empty for a cancellation
 */
public record JobRequest(String id, Optional<String> role, OptionalInt replicas) {
    /** Largest number of a line; each job's bounds are far below. */
    private static final int LARGEST = 999_999_999;

    private static final Pattern LINE = Pattern.compile("(\\S+) (?:cancel|scale (\\S+) (-?[0-9]{1,9}))");

    /**
     * Returns a request to scale a role.
     *
     * @throws IllegalArgumentException when no line of the record can have the role or the number
     */
    public static JobRequest scale(String role, int replicas) {
        if (!role.matches("[a-z]+")) {
            throw new IllegalArgumentException(
                    "role must be one of the job's roles, was \"" + role + "\"; for example worker");
        }
        if (replicas < 0 || replicas > LARGEST) {
            throw new IllegalArgumentException(
                    role + " must have 0 to " + LARGEST + " replicas, was " + replicas + "; for example 6");
        }
        return new JobRequest(UUID.randomUUID().toString(), Optional.of(role), OptionalInt.of(replicas));
    }

    public static JobRequest cancel() {
        return new JobRequest(UUID.randomUUID().toString(), Optional.empty(), OptionalInt.empty());
    }

    /** Returns the requests of an entry of the record. Lines of another form are ignored. */
    static List<JobRequest> parse(String entry) {
        List<JobRequest> requests = new ArrayList<>();
        for (String line : entry.lines().toList()) {
            Matcher words = LINE.matcher(line);
            if (words.matches()) {
                requests.add(new JobRequest(
                        words.group(1),
                        Optional.ofNullable(words.group(2)),
                        words.group(3) == null
                                ? OptionalInt.empty()
                                : OptionalInt.of(Integer.parseInt(words.group(3)))));
            }
        }
        return requests;
    }

    /** Returns whether a state has the effect of this request, or the job has ended. */
    boolean isIn(JobState state) {
        return state.phase().ended()
                || role.map(word -> replicas.equals(desired(state, word))).orElse(state.cancelRequested());
    }

    private static OptionalInt desired(JobState state, String role) {
        return state.desired().entrySet().stream()
                .filter(entry -> entry.getKey().id().equals(role))
                .mapToInt(entry -> entry.getValue())
                .findFirst();
    }

    /** Returns the request without its id: {@code scale worker 6}. */
    public String what() {
        return role.map(word -> "scale " + word + " " + replicas.orElse(0)).orElse("cancel");
    }

    /** Returns the line of the record. */
    @Override
    public String toString() {
        return id + " " + what();
    }
}
