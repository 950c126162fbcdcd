/**
 * Binary frames of the control plane and of the data plane between workers and parameter servers. Start at {@link
 * dev.edl.runtime.wire.frames.RemoteShards} for a worker's end and at {@link dev.edl.runtime.wire.frames.ShardServer}
 * for a server's. {@link dev.edl.runtime.wire.frames.MessageChannel} carries the control plane.
 */
@NullMarked
package dev.edl.runtime.wire.frames;

import org.jspecify.annotations.NullMarked;
