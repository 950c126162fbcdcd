/**
 * The parameter shards of a model in one JVM, where workers are threads and nothing is copied on its way. Start at {@link
 * dev.edl.runtime.ps.group.ShardGroup}; {@code WorkerShards} is what one worker has of it, {@code GroupCut} copies all shards at
 * one moment.
 */
@NullMarked
package dev.edl.runtime.ps.group;

import org.jspecify.annotations.NullMarked;
