/**
 * Recorded history of a run, as its workers, parameter shards and master observed it, and the proof of its
 * correctness. Start at {@link dev.edl.runtime.history.History}.
 */
@NullMarked
package dev.edl.runtime.history;

import org.jspecify.annotations.NullMarked;
