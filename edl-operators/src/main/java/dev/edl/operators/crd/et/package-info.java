/** et-operator's TrainingJob, ScaleIn and ScaleOut, {@code kai.alibabacloud.com/v1alpha1}. */
@NullMarked
package dev.edl.k8s.crd.et;

import org.jspecify.annotations.NullMarked;
