package dev.edl.runtime.wire.control;

import java.time.Duration;

/**
 * Bounds of the control plane.
 *
 * @param request the longest wait for the answer to a request
 * @param chunk the longest wait for a chunk of a model or a shard's state
 * @param handshake the longest that a caller takes to say who it is
 * @param grace how long a worker whose stream has closed keeps its tasks
 * @param keepAlive the pause after which an idle stream is probed; the other end has as long to answer
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
    /** Returns the bounds that fit a network in one place. */
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
