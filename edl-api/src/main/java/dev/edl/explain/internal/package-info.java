/** Implied values of a job; used by {@code dev.edl} only. Start at {@code Explainer}. */
@NullMarked
package dev.edl.explain.internal;

import org.jspecify.annotations.NullMarked;
