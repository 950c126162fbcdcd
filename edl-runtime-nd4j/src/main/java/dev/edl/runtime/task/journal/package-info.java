/**
 * Journal of the task ledger: its events in a file, which a later master reads. Start at {@link
 * dev.edl.runtime.task.journal.FileJournal}.
 */
@NullMarked
package dev.edl.runtime.task.journal;

import org.jspecify.annotations.NullMarked;
