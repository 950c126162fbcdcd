/**
 * Observed status of jobs and replicas: phases, stages and events. Start at {@link dev.edl.status.JobPhase} and
 * {@link dev.edl.status.JobEvent}.
 */
@NullMarked
package dev.edl.status;

import org.jspecify.annotations.NullMarked;
