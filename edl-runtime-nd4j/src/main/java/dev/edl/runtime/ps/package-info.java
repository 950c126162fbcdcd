/**
 * States of parameter shards and of models, and checkpoints of them. Start at {@link
 * dev.edl.runtime.ps.ShardSnapshot}, the state of one shard. {@code ps.shard} has the live shard, {@code ps.ports} the
 * access of workers and of the master, and {@code ps.group} all shards of one JVM.
 */
@NullMarked
package dev.edl.runtime.ps;

import org.jspecify.annotations.NullMarked;
