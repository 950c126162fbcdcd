/** The task ledger: which worker trains which records, as a pure state machine with a journal. Start at {@link dev.edl.runtime.task.TaskLedger}. */
@NullMarked
package dev.edl.runtime.task;

import org.jspecify.annotations.NullMarked;
