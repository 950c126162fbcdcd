/**
 * Checks of a model alone, which {@code ModelContract} and a training use. Start at {@code EmbeddingRowCheck}. Not for
 * use by others: it changes without notice.
 */
@NullMarked
package dev.edl.runtime.internal.contract;

import org.jspecify.annotations.NullMarked;
