/**
 * Execution of jobs: executors, handles, status, and the control loop that drives a substrate. Start at
 * {@link dev.edl.exec.JobExecutor}.
 */
@NullMarked
package dev.edl.exec;

import org.jspecify.annotations.NullMarked;
