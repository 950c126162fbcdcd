/**
 * Commands in the pod of a replica. Start at {@link dev.edl.k8s.exec.PodCommand}.
 */
@NullMarked
package dev.edl.k8s.exec;

import org.jspecify.annotations.NullMarked;
