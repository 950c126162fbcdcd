/** The immutable values behind a job: what was asked for, nothing computed. Start at {@link dev.edl.spec.JobSpec}. */
@NullMarked
package dev.edl.spec;

import org.jspecify.annotations.NullMarked;
