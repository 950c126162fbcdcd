/** Record of a job: the ConfigMap with its state. Start at {@code JobRecord}. Internal: changes without notice. */
@NullMarked
package dev.edl.k8s.internal.record;

import org.jspecify.annotations.NullMarked;
