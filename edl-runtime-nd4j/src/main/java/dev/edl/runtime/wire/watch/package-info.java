/** What a submitter hears of a training of other processes. Start at {@link dev.edl.runtime.wire.watch.EventJson}. */
@NullMarked
package dev.edl.runtime.wire.watch;

import org.jspecify.annotations.NullMarked;
