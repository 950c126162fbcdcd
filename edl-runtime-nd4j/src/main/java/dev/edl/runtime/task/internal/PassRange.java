package dev.edl.runtime.task.internal;

import dev.edl.runtime.task.TaskType;

/**
 * One range of one pass, to be done exactly once.
 *
 * @param pass the epoch of a training pass, the model version of an evaluation pass
 * @param range its number in dataset order
 */
public record PassRange(TaskType type, long pass, int range) {}
