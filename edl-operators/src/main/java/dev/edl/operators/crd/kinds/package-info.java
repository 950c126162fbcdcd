/** One reader for the custom resources of all operators: {@link dev.edl.k8s.crd.kinds.CustomResources}. */
@NullMarked
package dev.edl.k8s.crd.kinds;

import org.jspecify.annotations.NullMarked;
