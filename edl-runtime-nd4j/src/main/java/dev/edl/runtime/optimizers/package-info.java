/**
 * How gradients change weights: optimizers, learning rates and consistency. Start at {@link
 * dev.edl.runtime.optimizers.Optimizer}; {@link dev.edl.runtime.optimizers.UpdateRule} combines the three.
 */
@NullMarked
package dev.edl.runtime.optimizers;

import org.jspecify.annotations.NullMarked;
