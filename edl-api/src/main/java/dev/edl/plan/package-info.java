/** What a job becomes: names, endpoints, environment of every replica; a pure function of the job. Start at {@link dev.edl.plan.JobPlan}. */
@NullMarked
package dev.edl.plan;

import org.jspecify.annotations.NullMarked;
