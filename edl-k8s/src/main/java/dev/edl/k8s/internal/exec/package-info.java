/** Commands in pods and their ports. Start at {@code PodExec}. Internal: changes without notice. */
@NullMarked
package dev.edl.k8s.internal.exec;

import org.jspecify.annotations.NullMarked;
