/**
 * Jobs as the custom resources of other systems, and back: one package for each system. What the other side cannot say
 * is reported as {@link dev.edl.k8s.crd.Loss}, in both directions.
 */
@NullMarked
package dev.edl.k8s.crd;

import org.jspecify.annotations.NullMarked;
