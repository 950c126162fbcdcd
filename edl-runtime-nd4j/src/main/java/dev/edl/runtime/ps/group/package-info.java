/**
 * All parameter shards of a model, in this JVM or in other processes. Start at {@link
 * dev.edl.runtime.ps.group.ShardGroup}; {@code FencedShards} is the access of one master, {@code ShardGroupCut} takes
 * consistent snapshots. {@link dev.edl.runtime.ps.group.LocalShards} adds the workers of a training in one JVM.
 */
@NullMarked
package dev.edl.runtime.ps.group;

import org.jspecify.annotations.NullMarked;
