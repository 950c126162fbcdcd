/**
 * What the roles count and measure with: pushes, rounds, lives, losses, evaluations. None of it knows a role. Start at {@link
 * dev.edl.runtime.engine.internal.Evaluations}.
 */
@NullMarked
package dev.edl.runtime.engine.internal;

import org.jspecify.annotations.NullMarked;
