/** A parameter shard in the process of its server. Start at {@link dev.edl.runtime.ps.host.HostedShard}. */
@NullMarked
package dev.edl.runtime.ps.host;

import org.jspecify.annotations.NullMarked;
