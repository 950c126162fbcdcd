/**
 * Rows, files and slots of parameter shards. Start at {@code RowTable} for embedding rows and at {@code CheckedOutput}
 * for files. Internal: may change without notice.
 */
@NullMarked
package dev.edl.runtime.ps.internal;

import org.jspecify.annotations.NullMarked;
