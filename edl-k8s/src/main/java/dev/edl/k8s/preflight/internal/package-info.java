/**
 * What the checks look at and what they find. Start at {@code ProblemCollector}. Not for use by others: it changes
 * without notice.
 */
@NullMarked
package dev.edl.k8s.preflight.internal;

import org.jspecify.annotations.NullMarked;
