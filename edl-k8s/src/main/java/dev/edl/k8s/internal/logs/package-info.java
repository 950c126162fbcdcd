/** Logs of pods, across relaunches and lost connections. Start at {@code PodLog}. Internal: changes without notice. */
@NullMarked
package dev.edl.k8s.internal.logs;

import org.jspecify.annotations.NullMarked;
