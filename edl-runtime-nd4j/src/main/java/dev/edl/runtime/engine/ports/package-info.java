/**
 * Ports through which workers and servers reach the master of a run, in process or remote. Start at
 * {@link dev.edl.runtime.engine.ports.MasterPort}. The ports of the parameter shards are in
 * {@link dev.edl.runtime.ps.ports}.
 */
@NullMarked
package dev.edl.runtime.engine.ports;

import org.jspecify.annotations.NullMarked;
