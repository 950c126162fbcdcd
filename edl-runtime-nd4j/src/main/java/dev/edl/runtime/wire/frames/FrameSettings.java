package dev.edl.runtime.wire.frames;

import java.time.Duration;

/**
 * The bounds of connections between workers and servers.
 *
 * @param stranger the longest time until a caller has proved that it knows the token, and of a connect
 * @param silence the longest time in which a frame that was begun, or an answer, does not come any further
 * @param firstPause before a server is called a second time; doubles with each try
 * @param longestPause between two tries
 * @param stagingBytes what a server may have of gradients that are being received, at least four of them
 */
public record FrameSettings(
        Duration stranger, Duration silence, Duration firstPause, Duration longestPause, long stagingBytes) {
    /** 5 s for strangers, 30 s of silence, pauses of 50 ms to 2 s, 64 MiB. */
    public static final FrameSettings DEFAULT = new FrameSettings(
            Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMillis(50), Duration.ofSeconds(2), 64L << 20);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException when one is not positive
     */
    public FrameSettings {
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
