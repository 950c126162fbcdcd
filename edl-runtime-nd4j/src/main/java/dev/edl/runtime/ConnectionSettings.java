package dev.edl.runtime;

import java.time.Duration;
import org.immutables.value.Value;

/**
 * Bounds of the connections between the processes of a training. Each process uses the settings of its own {@link
 * Training}; a training in one JVM has no connections.
 *
 * <p>The defaults suit a network within one site. Slow links need longer bounds, for example:
 *
 * <pre>{@code
 * Training.builder().connections(ConnectionSettings.builder()
 *     .silence(Duration.ofMinutes(2))
 *     .keepAlive(Duration.ofSeconds(30))
 *     .build());
 * }</pre>
 */
@Value.Immutable
@ImmutablesStyle
public abstract class ConnectionSettings {
    private static final Duration LONGEST = Duration.ofDays(365);

    /** Builds settings. */
    public static class Builder extends ImmutableConnectionSettings.Builder {
        Builder() {}
    }

    ConnectionSettings() {}

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the defaults. */
    public static ConnectionSettings defaults() {
        return builder().build();
    }

    /** Returns the longest time to connect to an address. Default: 10s. */
    @Value.Default
    public Duration connect() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns the longest time in which both ends of a new connection must authenticate. At the master it is at most
     * twice {@link #keepAlive}. Default: 10s.
     */
    @Value.Default
    public Duration greeting() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns the longest time in which a begun frame must end or 1 MiB of it must arrive. It also bounds the wait for a
     * server's response. Default: 30s.
     */
    @Value.Default
    public Duration silence() {
        return Duration.ofSeconds(30);
    }

    /** Returns the longest wait for the response to a request to or from the master. Default: 1m. */
    @Value.Default
    public Duration answer() {
        return Duration.ofMinutes(1);
    }

    /**
     * Returns the pause after which an idle connection is probed: to the master by a ping, to a server by the system's TCP
     * keep-alive. A peer that is silent for twice this time counts as lost. Default: 10s.
     */
    @Value.Default
    public Duration keepAlive() {
        return Duration.ofSeconds(10);
    }

    /** Returns how long a worker whose connection to the master broke keeps its tasks. Default: 10s. */
    @Value.Default
    public Duration grace() {
        return Duration.ofSeconds(10);
    }

    /** Returns the longest time in which a connection to the master and its threads must end. Default: 5s. */
    @Value.Default
    public Duration close() {
        return Duration.ofSeconds(5);
    }

    /** Returns the pause before the first reconnect; it doubles with each further one. Default: 50ms. */
    @Value.Default
    public Duration firstPause() {
        return Duration.ofMillis(50);
    }

    /** Returns the longest pause between two reconnects. Default: 2s. */
    @Value.Default
    public Duration longestPause() {
        return Duration.ofSeconds(2);
    }

    /**
     * Returns the number of unauthenticated connections at which a listener closes the oldest, at least 1. Default: 64.
     */
    @Value.Default
    public int strangers() {
        return 64;
    }

    /**
     * Returns a server's memory in bytes for gradients that arrive and weights that leave. It has at least four
     * vectors of its shard. Default: 64 MiB.
     */
    @Value.Default
    public long stagingBytes() {
        return 64L << 20;
    }

    /** Returns the number of threads of each pool that runs requests of the master, at least 1. Default: 8. */
    @Value.Default
    public int threads() {
        return 8;
    }

    @Value.Check
    void check() {
        time("connect", connect(), "Duration.ofSeconds(10)");
        time("greeting", greeting(), "Duration.ofSeconds(10)");
        time("silence", silence(), "Duration.ofSeconds(30)");
        time("answer", answer(), "Duration.ofMinutes(1)");
        time("keepAlive", keepAlive(), "Duration.ofSeconds(10)");
        time("grace", grace(), "Duration.ofSeconds(10)");
        time("close", close(), "Duration.ofSeconds(5)");
        time("firstPause", firstPause(), "Duration.ofMillis(50)");
        time("longestPause", longestPause(), "Duration.ofSeconds(2)");
        if (firstPause().compareTo(longestPause()) > 0) {
            throw new IllegalArgumentException("connections.firstPause must be at most longestPause, for example"
                    + " Duration.ofMillis(50); was " + firstPause() + " and " + longestPause());
        }
        atLeast(1, "strangers", strangers(), 64);
        atLeast(0, "stagingBytes", stagingBytes(), 64 << 20);
        atLeast(1, "threads", threads(), 8);
    }

    private static void time(String name, Duration value, String example) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("connections." + name
                    + " must be positive and at most 365 days, for example " + example + "; was " + value);
        }
    }

    private static void atLeast(long least, String name, long value, long example) {
        if (value < least) {
            throw new IllegalArgumentException("connections." + name + " must be at least " + least + ", for example "
                    + example + "; was " + value);
        }
    }
}
