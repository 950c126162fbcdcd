/**
 * Models that compute their gradients on ND4J. Start at {@link dev.edl.runtime.model.Mlp} or
 * {@link dev.edl.runtime.model.SameDiffModel}.
 */
@NullMarked
package dev.edl.runtime.model;

import org.jspecify.annotations.NullMarked;
