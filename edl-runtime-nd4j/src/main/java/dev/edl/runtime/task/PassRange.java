package dev.edl.runtime.task;

import dev.edl.runtime.proof.TaskType;

/**
 * One range of one pass, to be done exactly once.
 *
 * @param pass epoch of a training pass, or model version of an evaluation pass
 * @param range index of the range in dataset order
 */
record PassRange(TaskType type, long pass, int range) {}
