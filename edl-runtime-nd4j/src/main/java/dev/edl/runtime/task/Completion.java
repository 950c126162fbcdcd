package dev.edl.runtime.task;

import java.util.OptionalLong;

/**
 * What became of a worker's report that a task is complete.
 *
 * @param accepted whether the report counts. A caller merges what came with the report (metrics, losses) only then: a
 *     task's range is accepted once, so no record is counted twice
 * @param evaluatedVersion the model version whose evaluation this report completed, if it did
 */
public record Completion(boolean accepted, OptionalLong evaluatedVersion) {
    static final Completion IGNORED = new Completion(false, OptionalLong.empty());
    static final Completion ACCEPTED = new Completion(true, OptionalLong.empty());
}
