/**
 * Optimizers, learning rates and consistency modes. Start at {@link dev.edl.runtime.optimizers.Optimizer};
 * {@link dev.edl.runtime.optimizers.UpdateRule} combines the three.
 */
@NullMarked
package dev.edl.runtime.optimizers;

import org.jspecify.annotations.NullMarked;
