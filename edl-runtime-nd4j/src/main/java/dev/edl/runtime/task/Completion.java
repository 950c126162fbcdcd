package dev.edl.runtime.task;

import java.util.OptionalLong;

/**
 * Outcome of a worker's report that a task is complete.
 *
 * @param accepted whether the report counts. A caller merges its metrics and losses only if it does. A task's range is
 *     accepted once, so no record is counted twice
 * @param evaluatedVersion the model version whose evaluation this report completed, if any
 */
public record Completion(boolean accepted, OptionalLong evaluatedVersion) {
    static final Completion IGNORED = new Completion(false, OptionalLong.empty());
    static final Completion ACCEPTED = new Completion(true, OptionalLong.empty());
}
