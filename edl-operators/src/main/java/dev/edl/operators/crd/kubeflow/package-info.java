/**
 * Conversion to and from the jobs of Kubeflow's training operator, {@code kubeflow.org/v1}: TFJob, PyTorchJob, MXJob
 * and MPIJob, and from MPIJob {@code kubeflow.org/v2beta1} of the MPI operator. Where releases differ, 1.6 to 1.9
 * apply.
 *
 * <p>Start at {@link dev.edl.operators.crd.kubeflow.KubeflowTfJobs}.
 */
@NullMarked
package dev.edl.operators.crd.kubeflow;

import org.jspecify.annotations.NullMarked;
