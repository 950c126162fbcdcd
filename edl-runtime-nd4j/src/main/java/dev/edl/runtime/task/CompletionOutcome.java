package dev.edl.runtime.task;

import java.util.OptionalLong;

/**
 * Outcome of a worker's report that a task is complete.
 *
 * @param accepted whether the report counts. If not, the caller discards the report's metrics and losses. A range of
 *     records is accepted once per pass, so no record is counted twice
 * @param evaluatedVersion the model version whose evaluation this report completed, if any
 */
public record CompletionOutcome(boolean accepted, OptionalLong evaluatedVersion) {
    static final CompletionOutcome IGNORED = new CompletionOutcome(false, OptionalLong.empty());
    static final CompletionOutcome ACCEPTED = new CompletionOutcome(true, OptionalLong.empty());
}
