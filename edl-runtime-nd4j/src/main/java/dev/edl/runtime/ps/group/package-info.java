/**
 * The parameter shards of a model in one JVM, where workers are threads and no data is copied between them. Start at
 * {@link dev.edl.runtime.ps.group.ShardGroup}; {@code WorkerShards} is one worker's access, {@code GroupCut} takes
 * consistent snapshots.
 */
@NullMarked
package dev.edl.runtime.ps.group;

import org.jspecify.annotations.NullMarked;
