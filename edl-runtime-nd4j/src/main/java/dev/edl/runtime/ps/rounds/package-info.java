/**
 * Rounds of synchronous training at one parameter shard: their members, and the gradients that an update still waits
 * for. Start at {@link dev.edl.runtime.ps.rounds.ShardRounds}.
 */
@NullMarked
package dev.edl.runtime.ps.rounds;

import org.jspecify.annotations.NullMarked;
