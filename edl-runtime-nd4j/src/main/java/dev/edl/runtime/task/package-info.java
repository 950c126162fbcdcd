/**
 * Task ledger that assigns records to workers, as a pure state machine. Start at
 * {@link dev.edl.runtime.task.TaskLedger}.
 */
@NullMarked
package dev.edl.runtime.task;

import org.jspecify.annotations.NullMarked;
