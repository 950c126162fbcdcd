/** Rows of embedding tables. Start at {@link dev.edl.runtime.ps.rows.RowTable}. */
@NullMarked
package dev.edl.runtime.ps.rows;

import org.jspecify.annotations.NullMarked;
