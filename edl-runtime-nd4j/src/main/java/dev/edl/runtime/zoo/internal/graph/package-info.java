/**
 * SameDiff graphs as models. Start at {@code GraphSession}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.zoo.internal.graph;

import org.jspecify.annotations.NullMarked;
