/**
 * The parameter shards of a run whose servers are other processes, as the master's process reaches them. Start at {@link
 * dev.edl.runtime.ps.servers.ServerShards}; {@code FencedServers} is what one master has of it.
 */
@NullMarked
package dev.edl.runtime.ps.servers;

import org.jspecify.annotations.NullMarked;
