/**
 * Checks of a model and of a training before the first step. Start at {@code ModelCheck}. Not for use by others: it
 * changes without notice.
 */
@NullMarked
package dev.edl.runtime.internal.check;

import org.jspecify.annotations.NullMarked;
