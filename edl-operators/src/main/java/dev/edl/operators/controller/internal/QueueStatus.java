package dev.edl.operators.controller.internal;

import java.time.Duration;

/**
 * Load of a {@link WorkQueue} at one moment.
 *
 * @param depth number of keys that wait for a thread
 * @param running number of passes in progress
 * @param stuck number of passes in progress that have taken longer than a second
 * @param oldestWait longest time that a key has been waiting for a thread; zero when none waits
 * @param sinceLastTurn time since the last pass ended or, before any has ended, since the queue was created
 */
public record QueueStatus(int depth, int running, int stuck, Duration oldestWait, Duration sinceLastTurn) {}
