/**
 * The parameter shards of a run whose servers are other processes, as seen by the master's process. Start at {@link
 * dev.edl.runtime.ps.servers.ServerShards}; {@code FencedServers} is the access of one master.
 */
@NullMarked
package dev.edl.runtime.ps.servers;

import org.jspecify.annotations.NullMarked;
