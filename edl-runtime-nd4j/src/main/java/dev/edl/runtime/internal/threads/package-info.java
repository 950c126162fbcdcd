/**
 * Daemon threads and their end. Start at {@code DaemonThreads}. Not for use by others: it changes without notice.
 */
@NullMarked
package dev.edl.runtime.internal.threads;

import org.jspecify.annotations.NullMarked;
