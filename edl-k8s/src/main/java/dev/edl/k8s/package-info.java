/** Runs jobs on a Kubernetes cluster. */
@NullMarked
package dev.edl.k8s;

import org.jspecify.annotations.NullMarked;
