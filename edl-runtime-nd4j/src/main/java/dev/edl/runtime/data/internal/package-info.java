/**
 * Checked reading and writing of files. Start at {@code FileView}. Not for use by others: it changes without notice.
 */
@NullMarked
package dev.edl.runtime.data.internal;

import org.jspecify.annotations.NullMarked;
