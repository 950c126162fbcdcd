package dev.edl.runtime.ps.internal;

import java.time.Duration;

/** Formats durations for messages: {@code 30 s}, {@code 250 ms}. */
public final class MessageDuration {
    private MessageDuration() {}

    public static String of(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
