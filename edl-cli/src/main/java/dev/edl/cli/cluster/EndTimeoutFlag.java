package dev.edl.cli.cluster;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Flag that bounds the wait for a job's end. */
public final class EndTimeoutFlag {
    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Longest time to wait for the end, for example 2h. Default: 30 days")
    private Duration limit = Duration.ofDays(30);

    /** Returns the bound. */
    public Duration limit() {
        return limit;
    }
}
