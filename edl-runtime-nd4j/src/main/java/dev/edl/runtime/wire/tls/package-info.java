/**
 * Encryption of the connections between a job's processes, by the JDK's TLS 1.3. Start at {@link
 * dev.edl.runtime.wire.tls.ChannelSecurity}.
 */
@NullMarked
package dev.edl.runtime.wire.tls;

import org.jspecify.annotations.NullMarked;
