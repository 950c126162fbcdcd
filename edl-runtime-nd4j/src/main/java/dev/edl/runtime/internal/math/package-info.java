/**
 * Arithmetic that several packages of the runtime share. Start at {@code SplitMixHash}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.internal.math;

import org.jspecify.annotations.NullMarked;
