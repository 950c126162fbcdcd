package dev.edl.operators.controller.internal;

import java.time.Duration;

/**
 * How much a queue has to do.
 *
 * @param depth keys that wait for a thread
 * @param running turns that are under way
 * @param stuck how many of those take longer than a second
 * @param oldestWait of a key for a thread; zero when none waits
 * @param sinceLastTurn the time since a turn ended, or since the queue was created
 */
public record QueueStatus(int depth, int running, int stuck, Duration oldestWait, Duration sinceLastTurn) {}
