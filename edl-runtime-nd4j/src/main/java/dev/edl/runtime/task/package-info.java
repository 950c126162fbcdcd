/** The task ledger: which worker trains which records, as a pure state machine with a journal. */
@NullMarked
package dev.edl.runtime.task;

import org.jspecify.annotations.NullMarked;
