/** The events of a training in other processes, as a submitter gets them. Start at {@link dev.edl.runtime.wire.watch.EventJson}. */
@NullMarked
package dev.edl.runtime.wire.watch;

import org.jspecify.annotations.NullMarked;
