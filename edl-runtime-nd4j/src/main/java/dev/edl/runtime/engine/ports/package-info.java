/**
 * How workers and servers reach the master of a run, wherever it is. Start at {@link dev.edl.runtime.engine.ports.MasterPort}; the ends
 * of the parameter shards are in {@link dev.edl.runtime.ps.ports}.
 */
@NullMarked
package dev.edl.runtime.engine.ports;

import org.jspecify.annotations.NullMarked;
