/**
 * Parameter shards and checkpoints, on flat arrays. Start at {@link dev.edl.runtime.ps.ParameterShard}, what one server keeps; {@code
 * ps.ports} has the ends of workers and of the master, {@code ps.group} all shards of one JVM.
 */
@NullMarked
package dev.edl.runtime.ps;

import org.jspecify.annotations.NullMarked;
