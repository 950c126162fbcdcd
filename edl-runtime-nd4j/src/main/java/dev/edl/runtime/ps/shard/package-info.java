/**
 * One live parameter shard: its parameters, pushes and rounds. Start at {@link dev.edl.runtime.ps.shard.ParameterShard},
 * and for rounds at {@code ShardRounds}.
 */
@NullMarked
package dev.edl.runtime.ps.shard;

import org.jspecify.annotations.NullMarked;
