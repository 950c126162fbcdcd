/**
 * The two ends of parameter shards: a worker's end, and the master's end for one term. Start at {@link
 * dev.edl.runtime.ps.ports.ShardsPort}.
 */
@NullMarked
package dev.edl.runtime.ps.ports;

import org.jspecify.annotations.NullMarked;
