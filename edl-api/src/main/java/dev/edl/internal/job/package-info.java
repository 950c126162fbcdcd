/**
 * Rules of a job and its text. Start at {@link dev.edl.internal.job.JobRules}. Not for use by others: it changes without
 * notice.
 */
@NullMarked
package dev.edl.internal.job;

import org.jspecify.annotations.NullMarked;
