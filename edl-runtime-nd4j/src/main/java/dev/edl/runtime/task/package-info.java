/**
 * Task ledger that assigns records to workers, as a pure state machine. Start at
 * {@link dev.edl.runtime.task.TaskLedger}; {@code TrainingPlan} has the order of the records. {@code task.journal} keeps
 * the ledger's events.
 */
@NullMarked
package dev.edl.runtime.task;

import org.jspecify.annotations.NullMarked;
