/**
 * Frames, of which {@link dev.edl.runtime.wire.frames.MessageChannel} is what the control plane uses, and the data plane between
 * workers and the servers of parameter shards. Start at {@link dev.edl.runtime.wire.frames.FramedShards} for
 * a worker's end and at {@link dev.edl.runtime.wire.frames.ShardServer} for a server's.
 */
@NullMarked
package dev.edl.runtime.wire.frames;

import org.jspecify.annotations.NullMarked;
