/**
 * Layers with hand-written gradients. Start at {@code DenseLayer}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.runtime.zoo.internal.layers;

import org.jspecify.annotations.NullMarked;
