/** One reader for the custom resources of all operators: {@link dev.edl.operators.crd.kinds.CustomResources}. Start at it. */
@NullMarked
package dev.edl.operators.crd.kinds;

import org.jspecify.annotations.NullMarked;
