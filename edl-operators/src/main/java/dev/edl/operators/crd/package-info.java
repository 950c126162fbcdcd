/**
 * Jobs as the custom resources of other systems, and back: one package for each system. What the other side cannot say
 * is reported as {@link dev.edl.operators.crd.ConversionLoss}, in both directions.
 *
 * <p>Start at {@link dev.edl.operators.crd.CustomObject}.
 */
@NullMarked
package dev.edl.operators.crd;

import org.jspecify.annotations.NullMarked;
