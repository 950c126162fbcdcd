/**
 * How workers and parameter servers reach the master of another process: streams of messages, which are JSON in frames. Start at
 * {@link dev.edl.runtime.wire.control.MasterListener}, by which the master listens; workers and servers dial ({@link
 * dev.edl.runtime.wire.control.WorkerLink}, {@link dev.edl.runtime.wire.control.ServerLink}), and the master's orders to a
 * server go down the stream that the server opened.
 */
@NullMarked
package dev.edl.runtime.wire.control;

import org.jspecify.annotations.NullMarked;
