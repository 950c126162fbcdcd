package dev.edl.operators.controller.internal;

import java.time.Duration;

/**
 * Load of a work queue.
 *
 * @param depth keys that wait for a thread
 * @param running passes in progress
 * @param stuck those of them that have taken longer than a second
 * @param oldestWait longest wait of a key for a thread; zero when none waits
 * @param sinceLastTurn time since a pass ended, or since the queue was created
 */
public record QueueStatus(int depth, int running, int stuck, Duration oldestWait, Duration sinceLastTurn) {}
