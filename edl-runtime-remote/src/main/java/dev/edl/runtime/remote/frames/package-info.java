/**
 * Frames, of which {@link dev.edl.runtime.remote.frames.MessageWire} is what the control plane uses, and the data plane between
 * workers and the servers of parameter shards. Start at {@link dev.edl.runtime.remote.frames.FramedShards} for
 * a worker's end and at {@link dev.edl.runtime.remote.frames.ShardServer} for a server's.
 */
@NullMarked
package dev.edl.runtime.remote.frames;

import org.jspecify.annotations.NullMarked;
