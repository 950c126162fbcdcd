/** Immutable values of a job as specified, without anything computed. Start at {@link dev.edl.spec.JobSpec}. */
@NullMarked
package dev.edl.spec;

import org.jspecify.annotations.NullMarked;
