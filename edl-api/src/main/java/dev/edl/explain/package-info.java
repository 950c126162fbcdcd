/** Explanations of a job: what it has without having been asked for, and why. Starts at {@code Job.explain()}. */
@NullMarked
package dev.edl.explain;

import org.jspecify.annotations.NullMarked;
