/** Files of any file system. Start at {@code OpenFile}. Not for use by others: it changes without notice. */
@NullMarked
package dev.edl.runtime.internal.files;

import org.jspecify.annotations.NullMarked;
