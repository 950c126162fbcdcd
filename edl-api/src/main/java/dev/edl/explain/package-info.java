/** Explanations of the values that a job has without having specified them. Start at {@code Job.explain()}. */
@NullMarked
package dev.edl.explain;

import org.jspecify.annotations.NullMarked;
