/**
 * Bytes of files, read and written with checks. Start at {@code FileView}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.data.internal;

import org.jspecify.annotations.NullMarked;
