/**
 * Recorded history of a run, as its workers, parameter shards and master observed it. {@code HistoryChecker} of
 * edl-testkit checks it. Start at {@link dev.edl.runtime.history.RunRecorder}.
 */
@NullMarked
package dev.edl.runtime.history;

import org.jspecify.annotations.NullMarked;
