/**
 * Control plane between workers, parameter servers and the master of another process: connections with JSON messages in
 * frames. Start at {@link dev.edl.runtime.wire.control.MasterEndpoint}, with which the master listens. Workers and
 * servers dial ({@link dev.edl.runtime.wire.control.WorkerLink}, {@link dev.edl.runtime.wire.control.ServerLink}). The
 * master sends its requests to a server over the connection that the server opened.
 */
@NullMarked
package dev.edl.runtime.wire.control;

import org.jspecify.annotations.NullMarked;
