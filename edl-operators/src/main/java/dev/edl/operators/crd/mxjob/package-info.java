/** MxJob v1beta1, of the first MXNet operator of 2017. Start at {@link dev.edl.operators.crd.mxjob.MxJobs}. */
@NullMarked
package dev.edl.operators.crd.mxjob;

import org.jspecify.annotations.NullMarked;
