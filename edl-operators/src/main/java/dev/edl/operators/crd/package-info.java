/**
 * Conversion between jobs and the custom resources of other systems, one package per system. In both directions,
 * {@link dev.edl.operators.crd.ConversionLoss} reports settings that the target cannot express.
 *
 * <p>Start at {@link dev.edl.operators.crd.CustomObject}.
 */
@NullMarked
package dev.edl.operators.crd;

import org.jspecify.annotations.NullMarked;
