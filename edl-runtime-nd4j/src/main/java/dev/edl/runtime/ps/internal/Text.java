package dev.edl.runtime.ps;

import java.time.Duration;

/** How messages write durations: {@code 30 s}, {@code 250 ms}. */
final class Text {
    private Text() {}

    static String of(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
