/** TfJob v1alpha1, of the first TensorFlow operator, through its generations of 2017 and 2018. Start at {@link dev.edl.operators.crd.tfjob.TfJobs}. */
@NullMarked
package dev.edl.operators.crd.tfjob;

import org.jspecify.annotations.NullMarked;
