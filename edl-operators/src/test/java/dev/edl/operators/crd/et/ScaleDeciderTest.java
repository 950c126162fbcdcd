package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.status.ObservedPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScaleDeciderTest {
    private static final Instant T0 = ScaleTrial.START;

    private final JobPlan plan = new ScaleTrial(2).plan;

    private static Scaler scaler(String name, int created, ScaleRequest request) {
        return new Scaler(name, T0.plusSeconds(created), request);
    }

    private static ScaleRequest in(int count) {
        return ScaleRequest.in(ScaleTrial.JOB, count);
    }

    // D-08
    @Test
    void d_08_of_two_requests_the_older_goes_first_and_by_the_operator_the_newer() {
        List<Scaler> two = List.of(scaler("b", 2, in(1)), scaler("a", 1, in(1)));

        assertThat(ScaleOrder.OLDEST_FIRST.next(plan, two)).contains(two.get(1));
        assertThat(ScaleOrder.NEWEST_FIRST.next(plan, two)).contains(two.get(0));
    }

    // D-08
    @Test
    void d_08_of_two_of_one_second_the_name_decides_by_either_order() {
        List<Scaler> two = List.of(scaler("b", 1, in(1)), scaler("a", 1, in(1)));

        for (ScaleOrder order : ScaleOrder.values()) {
            assertThat(order.next(plan, two)).as("%s", order).contains(two.get(1));
        }
    }

    // D-08
    @Test
    void d_08_one_that_was_begun_is_brought_to_its_end_before_another_is() {
        Scaler begun = scaler("b", 2, in(1)).with(ScaleState.scaling(T0, List.of("x")));
        Scaler undoing = begun.with(begun.state().to(ScalePhase.UNDOING, "why"));

        for (ScaleOrder order : ScaleOrder.values()) {
            for (Scaler one : List.of(begun, undoing)) {
                assertThat(order.next(plan, List.of(scaler("a", 1, in(1)), one, scaler("c", 3, in(1)))))
                        .as("%s", order)
                        .contains(one);
            }
        }
    }

    @Test
    void requests_that_have_ended_do_not_count() {
        Scaler done = scaler("a", 1, in(1)).with(ScaleState.waiting().to(ScalePhase.SUCCEEDED, ""));
        Scaler failed = scaler("b", 2, in(1)).with(ScaleState.waiting().to(ScalePhase.FAILED, "why"));

        assertThat(ScaleOrder.OLDEST_FIRST.next(plan, List.of(done, failed))).isEmpty();
    }

    // D-09
    @Test
    void d_09_requests_of_a_job_of_the_same_name_elsewhere_are_not_its_own() {
        Scaler other = scaler("a", 1, in(1).namespace("other"));

        assertThat(ScaleOrder.OLDEST_FIRST.next(plan, List.of(other))).isEmpty();
        assertThatThrownBy(() ->
                        ScaleDecider.decide(plan, other, new ObservedScaling(List.of(), new ScaleTrial(2).hosts), T0))
                .hasMessage("ScaleIn:other/a is a request of job other/elastic-training, was given job"
                        + " default/elastic-training; ScaleOrder.next returns those of a job");
    }

    // D-09
    @Test
    void d_09_workers_of_a_job_of_the_same_name_elsewhere_are_neither_counted_nor_deleted() {
        ScaleTrial trial = new ScaleTrial(2).asks(in(2));
        trial.pods.put("elsewhere", new ObservedWorker("other", ScaleTrial.name("w2"), ObservedPhase.RUNNING, false));
        trial.pods.put(
                "another", new ObservedWorker("default", "x-elastic-training-worker-3", ObservedPhase.RUNNING, false));

        assertThat(trial.decide().state())
                .isEqualTo("FAILED [] .spec.toDelete.count should be less than current replicas 2");
        assertThat(trial.asks(in(1)).decide().state()).isEqualTo("SCALING [w1]");
    }

    @Test
    void what_has_ended_stays_as_it_ended() {
        Scaler done = scaler("a", 1, in(1)).with(ScaleState.waiting().to(ScalePhase.SUCCEEDED, "removed x"));

        assertThat(ScaleDecider.decide(plan, done, new ObservedScaling(List.of(), new ScaleTrial(2).hosts), T0))
                .isEqualTo(new ScaleDecision(Optional.empty(), List.of(), done.state(), Optional.empty()));
    }

    @Test
    void a_plan_of_another_profile_is_refused() {
        JobPlan other = Job.named(ScaleTrial.JOB)
                .horovod()
                .launcher()
                .workers(2)
                .build()
                .plan();

        assertThatThrownBy(() -> ScaleDecider.decide(
                        other, scaler("a", 1, in(1)), new ObservedScaling(List.of(), new ScaleTrial(2).hosts), T0))
                .hasMessage("scaling needs a plan of profile ET_V1ALPHA1, was given one of ELASTICDL; for example"
                        + " job.plan(Profile.ET_V1ALPHA1)");
    }

    @Test
    void a_decision_reads_as_what_is_done() {
        ScaleTrial trial = new ScaleTrial(2);
        ObservedScaling observed = new ObservedScaling(List.copyOf(trial.pods.values()), trial.hosts);

        assertThat(ScaleDecider.decide(plan, scaler("less", 1, in(1)), observed, T0))
                .hasToString("write elastic-training-worker-0:1; SCALING [elastic-training-worker-1]; again in PT5S");
        assertThat(scaler("less", 1, in(1))).hasToString("ScaleIn:default/less WAITING []");
    }

    @Test
    void a_timeout_without_end_is_no_mistake() {
        ScaleTrial trial = new ScaleTrial(2)
                .asks(in(1).timeout(Duration.ofSeconds(Long.MAX_VALUE)))
                .decide();

        assertThat(trial.after(Duration.ofDays(365)).decide().wake).isEqualTo(Duration.ofSeconds(5));
    }
}
