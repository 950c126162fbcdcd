/**
 * Commands by the exec API. Start at {@code PodExec}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.k8s.internal.exec;

import org.jspecify.annotations.NullMarked;
