/**
 * Immutable values of a job as specified, without anything computed: its vocabulary, such as
 * {@link dev.edl.spec.Priority} and {@link dev.edl.spec.Volume}. Start at {@link dev.edl.spec.JobSpec}, which has them
 * all.
 */
@NullMarked
package dev.edl.spec;

import org.jspecify.annotations.NullMarked;
