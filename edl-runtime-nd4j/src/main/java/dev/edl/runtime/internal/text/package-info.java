/**
 * Formatting of values and failures for messages. Start at {@code ExceptionText}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.internal.text;

import org.jspecify.annotations.NullMarked;
