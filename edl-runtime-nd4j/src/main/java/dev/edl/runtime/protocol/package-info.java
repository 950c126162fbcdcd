/**
 * What master, workers and parameter servers say to each other, as state machines: an {@linkplain dev.edl.runtime.protocol.Event
 * event} and the time go in, {@linkplain dev.edl.runtime.protocol.Effect effects} come out. No machine has a thread, a lock, a
 * socket, a file or a clock. Start at {@link dev.edl.runtime.protocol.Machine}; then {@link
 * dev.edl.runtime.protocol.WorkerProtocol} is the shortest of the three.
 *
 * <p>A program that puts the machines on sockets supplies three things:
 *
 * <ol>
 *   <li>A codec of the six kinds of {@link dev.edl.runtime.protocol.Message}, one file a direction. Worker and server exchange
 *       tensors, the others a few hundred bytes.
 *   <li>Connections that keep the order of messages. A {@link dev.edl.runtime.protocol.Link} is one end of one connection.
 *   <li>What {@link dev.edl.runtime.protocol.Effect} lists beside messages: gradients, parts of checkpoints, manifests.
 * </ol>
 *
 * <p>The simulation in the tests of this package is such a program, on a network with faults. Decision 32 has the reasons.
 */
@NullMarked
package dev.edl.runtime.protocol;

import org.jspecify.annotations.NullMarked;
