/**
 * One reader for the custom resources of all operators. Start at {@link dev.edl.operators.crd.kinds.CustomResources}.
 */
@NullMarked
package dev.edl.operators.crd.kinds;

import org.jspecify.annotations.NullMarked;
