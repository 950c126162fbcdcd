/**
 * Rules that a job must satisfy, and the conversion of a job to JSON and YAML. Start at
 * {@link dev.edl.internal.job.JobRules}. For EDL only; it changes without notice.
 */
@NullMarked
package dev.edl.internal.job;

import org.jspecify.annotations.NullMarked;
