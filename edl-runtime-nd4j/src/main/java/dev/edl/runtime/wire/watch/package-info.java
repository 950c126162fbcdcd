/**
 * Serialized events of a training in other processes, for the submitter. Start at {@link
 * dev.edl.runtime.wire.watch.EventJson}.
 */
@NullMarked
package dev.edl.runtime.wire.watch;

import org.jspecify.annotations.NullMarked;
