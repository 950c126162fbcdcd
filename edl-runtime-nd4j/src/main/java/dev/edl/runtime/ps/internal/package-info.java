/**
 * Rows, rounds and files behind a parameter shard. Start at {@code RowTable} for embedding rows, at {@code Round} for
 * synchronous updates. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.ps.internal;

import org.jspecify.annotations.NullMarked;
