package dev.edl.k8s.exec;

import dev.edl.k8s.KubernetesRun;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Immutable command to run in a replica's container, beside the replica's own process; see
 * {@link KubernetesRun#exec(String, PodCommand)}.
 *
 * <pre>{@code
 * PodCommand.of("tail", "-n", "20", "/var/log/train.log");
 * PodCommand.of("sh", "-c", "head -c 5 >/tmp/go").input("hello").limit(Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>The words reach the program literally: no shell parses them.
 *
 * @param words the program and its arguments
 * @param limit longest duration of the command, including connecting; by default 1m
 * @param input standard input of the command; empty for none. The exec API cannot signal the end of input, so a program
 *     that reads to the end waits for the limit. Let it read a number of bytes, as {@code head -c} does, or a line
 * @param container the container's name; empty for the main one, which is the replica
 * @param most number of bytes that are kept of the command's output, and as many of its error output; by default 1 MiB
 *     each
 */
public record PodCommand(
        List<String> words, Duration limit, Optional<String> input, Optional<String> container, int most) {
    /** Maximum input in bytes. A connection with longer input would block until the program reads it. */
    private static final int INPUT = 8 << 20;

    /**
     * Validates the values, and copies the words.
     *
     * @throws IllegalArgumentException if there is no program, if the limit is not positive, if the number of kept bytes
     *     is negative, or if the input has more than 2,796,202 characters, which might exceed 8 MiB in UTF-8
     */
    public PodCommand {
        words = List.copyOf(words);
        Objects.requireNonNull(container, "container");
        if (words.isEmpty() || words.get(0).isEmpty()) {
            throw new IllegalArgumentException(
                    "a command must name a program, was " + words + "; for example PodCommand.of(\"ls\", \"/tmp\")");
        }
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("the limit of a command must be more than zero, was " + limit
                    + "; for example Duration.ofSeconds(30)");
        }
        if (most < 0) {
            throw new IllegalArgumentException(
                    "the kept bytes of an output must be at least 0, was " + most + "; for example 65536");
        }
        // A character takes at most three bytes, or two characters four.
        if (input.filter(text -> text.length() > INPUT / 3).isPresent()) {
            throw new IllegalArgumentException("the input of a command must be at most " + INPUT / 3
                    + " characters, was " + input.orElse("").length() + "; pass more by a volume");
        }
    }

    /** Returns a command of a program and its arguments. */
    public static PodCommand of(String... words) {
        return new PodCommand(List.of(words), Duration.ofMinutes(1), Optional.empty(), Optional.empty(), 1 << 20);
    }

    /** Returns a copy with another limit. */
    public PodCommand limit(Duration time) {
        return new PodCommand(words, time, input, container, most);
    }

    /** Returns a copy with a text in UTF-8 as standard input. */
    public PodCommand input(String text) {
        return new PodCommand(words, limit, Optional.of(text), container, most);
    }

    /** Returns a copy for another container of the pod. */
    public PodCommand container(String name) {
        return new PodCommand(words, limit, input, Optional.of(name), most);
    }

    /** Returns a copy that keeps at most this many bytes of each output. */
    public PodCommand keep(int bytes) {
        return new PodCommand(words, limit, input, container, bytes);
    }

    /** Returns the words. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
