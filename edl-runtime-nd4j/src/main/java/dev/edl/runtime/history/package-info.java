/** What happened in a run, as its workers, its parameter shards and its master saw it, and the proof that it was right. Start at {@link dev.edl.runtime.history.History}. */
@NullMarked
package dev.edl.runtime.history;

import org.jspecify.annotations.NullMarked;
