/**
 * Parameter shards and checkpoints, on flat arrays. Start at {@link dev.edl.runtime.ps.ParameterShard}, the contents of
 * one server. {@code ps.ports} has the access of workers and of the master; {@code ps.group} has all shards of one JVM.
 */
@NullMarked
package dev.edl.runtime.ps;

import org.jspecify.annotations.NullMarked;
