/**
 * Counters and measurements of the roles: pushes, rounds, lives, losses, evaluations. None of them depends on a role.
 * Start at {@link dev.edl.runtime.engine.internal.OrderedResultMerger}.
 */
@NullMarked
package dev.edl.runtime.engine.internal;

import org.jspecify.annotations.NullMarked;
