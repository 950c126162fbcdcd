package dev.edl.exec;

import dev.edl.Backoff;
import java.time.Duration;

/**
 * How long a loop bears a substrate that fails.
 *
 * @param tries failures in a row of the same request after which the job fails, at least 1
 * @param backoff wait after a failure
 */
public record Patience(int tries, Backoff backoff) {
    /** 10 tries, 0.2 s apart at first and 30 s at most: 81 s in all. */
    public static final Patience DEFAULT =
            new Patience(10, Backoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(30)));

    /** Checks the number. */
    public Patience {
        if (tries < 1) {
            throw new IllegalArgumentException("patience needs at least 1 try, for example 10; was " + tries);
        }
    }
}
