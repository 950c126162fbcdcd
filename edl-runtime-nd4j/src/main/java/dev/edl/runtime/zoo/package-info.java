/**
 * Models that compute their gradients on ND4J. Start at {@link dev.edl.runtime.zoo.Mlp} or
 * {@link dev.edl.runtime.zoo.SameDiffModel}.
 */
@NullMarked
package dev.edl.runtime.zoo;

import org.jspecify.annotations.NullMarked;
