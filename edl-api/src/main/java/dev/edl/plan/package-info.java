/**
 * Plans of jobs: names, endpoints and environment of every replica, as a pure function of the job. Start at
 * {@link dev.edl.plan.JobPlan}.
 */
@NullMarked
package dev.edl.plan;

import org.jspecify.annotations.NullMarked;
