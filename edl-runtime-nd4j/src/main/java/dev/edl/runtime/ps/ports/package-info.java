/**
 * Access to parameter shards: a worker's, and the master's during one term. Start at {@link
 * dev.edl.runtime.ps.ports.ShardsPort}.
 */
@NullMarked
package dev.edl.runtime.ps.ports;

import org.jspecify.annotations.NullMarked;
