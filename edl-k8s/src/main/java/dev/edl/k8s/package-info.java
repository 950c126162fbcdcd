/**
 * Runs jobs on a Kubernetes cluster. Start at {@link dev.edl.k8s.KubernetesExecutor}.
 */
@NullMarked
package dev.edl.k8s;

import org.jspecify.annotations.NullMarked;
