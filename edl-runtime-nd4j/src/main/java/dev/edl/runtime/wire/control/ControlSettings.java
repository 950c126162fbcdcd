package dev.edl.runtime.wire.control;

import java.time.Duration;

/**
 * Timeouts and pool sizes of the control plane.
 *
 * @param request the longest wait for the response to a request
 * @param chunk the longest wait for a chunk of a model or a shard's state
 * @param handshake the longest time for a caller to authenticate
 * @param grace how long a worker whose connection has closed keeps its tasks
 * @param keepAlive the pause after which an idle connection is probed; the peer must answer within the same time
 * @param close the longest wait for the end of the threads
 * @param threads of each pool: calls, reports and bulk
 */
public record ControlSettings(
        Duration request,
        Duration chunk,
        Duration handshake,
        Duration grace,
        Duration keepAlive,
        Duration close,
        int threads) {
    /** Returns timeouts and pool sizes for a network within one site. */
    public static ControlSettings defaults() {
        return new ControlSettings(
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                8);
    }
}
