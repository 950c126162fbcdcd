/** et-operator's TrainingJob, ScaleIn and ScaleOut, {@code kai.alibabacloud.com/v1alpha1}. Start at {@link dev.edl.operators.crd.et.TrainingJobs}. */
@NullMarked
package dev.edl.operators.crd.et;

import org.jspecify.annotations.NullMarked;
