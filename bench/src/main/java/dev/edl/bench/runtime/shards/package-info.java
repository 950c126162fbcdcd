/** Figures of parameter shards: updates by their optimizers, and the stop by a cut. Start at {@link dev.edl.bench.runtime.shards.ShardSpeed}. */
@NullMarked
package dev.edl.bench.runtime.shards;

import org.jspecify.annotations.NullMarked;
