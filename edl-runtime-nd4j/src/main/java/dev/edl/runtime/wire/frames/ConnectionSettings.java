package dev.edl.runtime.wire.frames;

import java.time.Duration;

/**
 * Bounds of connections between workers and servers.
 *
 * @param stranger the longest time for a caller to authenticate, and for a worker to connect
 * @param silence the longest time without progress of a begun frame or an awaited response
 * @param firstPause pause before a server is called a second time; doubles with each retry
 * @param longestPause the longest pause between two retries
 * @param stagingBytes a server's memory for gradients being received, at least four gradients
 */
public record ConnectionSettings(
        Duration stranger, Duration silence, Duration firstPause, Duration longestPause, long stagingBytes) {
    /** Defaults: 5 s to authenticate, 30 s of silence, pauses of 50 ms to 2 s, 64 MiB. */
    public static final ConnectionSettings DEFAULT = new ConnectionSettings(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMillis(50), Duration.ofSeconds(2), 64L << 20);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException when one is not positive
     */
    public ConnectionSettings {
        requirePositive("stranger", stranger);
        requirePositive("silence", silence);
        requirePositive("firstPause", firstPause);
        requirePositive("longestPause", longestPause);
        if (stagingBytes < 0) {
            throw new IllegalArgumentException("stagingBytes must be at least 0, was " + stagingBytes);
        }
    }

    private static void requirePositive(String name, Duration bound) {
        if (bound.isNegative() || bound.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, for example PT5S, was " + bound);
        }
    }
}
