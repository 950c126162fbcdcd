/**
 * Serialization of shards' states and models for another process. Start at {@link dev.edl.runtime.ps.bytes.ShardSerializer}.
 */
@NullMarked
package dev.edl.runtime.ps.bytes;

import org.jspecify.annotations.NullMarked;
