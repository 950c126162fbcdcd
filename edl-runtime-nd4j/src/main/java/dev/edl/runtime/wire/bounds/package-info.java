/**
 * Time bounds of connections, and the timers that enforce them. Start at {@link dev.edl.runtime.wire.bounds.TimeBound}.
 */
@NullMarked
package dev.edl.runtime.wire.bounds;

import org.jspecify.annotations.NullMarked;
