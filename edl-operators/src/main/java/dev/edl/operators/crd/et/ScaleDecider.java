package dev.edl.operators.crd.et;

import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import java.time.Instant;

/**
 * Decides the next step of a ScaleIn or ScaleOut, from an observation of its job. The steps have et-operator's order,
 * without that operator's defects.
 *
 * <pre>{@code
 * Scaler scaler = ScaleOrder.OLDEST_FIRST.next(plan, scalers).orElseThrow();
 * ScaleDecision decision = ScaleDecider.decide(plan, scaler, seen, now);
 * // persist decision.next(), write decision.hosts(), apply decision.actions(), return after decision.wakeAfter()
 * }</pre>
 *
 * <p><b>Scale in:</b> workers leave the hosts file first; each pod is deleted once the launcher has no process on it.
 * <b>Scale out:</b> workers are created first, and enter the hosts file once all of them run. A request that exceeds
 * its timeout fails and is rolled back: new workers are deleted, and remaining workers become hosts again. The number
 * of workers stays within the role's bounds {@code elastic(min, max)}.
 *
 * <p>Pure: uses no clock, input or output, and returns a decision for every observation. Thread-safe.
 */
public final class ScaleDecider {
    private ScaleDecider() {}

    /**
     * Decides the next step of a request.
     *
     * @param job the plan of the job in profile {@link Profile#ET_V1ALPHA1}
     * @param scaler the request, with its progress
     * @param observed the job's workers and hosts
     * @param now the time
     * @throws IllegalArgumentException for a plan of another profile, or a request of another job
     */
    public static ScaleDecision decide(JobPlan job, Scaler scaler, ObservedScaling observed, Instant now) {
        if (job.profile() != Profile.ET_V1ALPHA1) {
            throw new IllegalArgumentException("scaling needs a plan of profile ET_V1ALPHA1, was given one of "
                    + job.profile() + "; for example job.plan(Profile.ET_V1ALPHA1)");
        }
        if (!isOf(job, scaler.request())) {
            throw new IllegalArgumentException(
                    scaler.id() + " is a request of job " + scaler.request().namespace()
                            + "/" + scaler.request().job() + ", was given job " + job.namespace() + "/" + job.name()
                            + "; ScaleOrder.next returns those of a job");
        }
        ScaleDecisionContext context = new ScaleDecisionContext(job, scaler, observed, now);
        if (scaler.state().phase().ended()) {
            return context.stay();
        }
        return scaler.isScaleIn() ? ScaleInRule.decide(context) : ScaleOutRule.decide(context);
    }

    /**
     * Returns whether the request is for this job. Compares the namespaces too, since two namespaces may have a job of
     * the same name.
     */
    static boolean isOf(JobPlan job, ScaleRequest request) {
        return request.namespace().equals(job.namespace()) && request.job().equals(job.name());
    }
}
