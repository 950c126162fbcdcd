/** TfJob v1alpha1, of the first TensorFlow operator, through its generations of 2017 and 2018. */
@NullMarked
package dev.edl.k8s.crd.tfjob;

import org.jspecify.annotations.NullMarked;
