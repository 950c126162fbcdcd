/** MxJob v1beta1, of the first MXNet operator of 2017. */
@NullMarked
package dev.edl.k8s.crd.mxjob;

import org.jspecify.annotations.NullMarked;
