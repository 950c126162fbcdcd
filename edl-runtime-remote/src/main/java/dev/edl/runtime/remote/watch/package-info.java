/** What a submitter hears of a training of other processes. Start at {@link dev.edl.runtime.remote.watch.EventJson}. */
@NullMarked
package dev.edl.runtime.remote.watch;

import org.jspecify.annotations.NullMarked;
