package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A user's target number of workers survives a failed request and the end of a program. */
class TargetSizeScalingRequestsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final JobPlan PLAN = Job.named("mnist")
            .horovod()
            .image("horovod:1")
            .launcher()
            .workers(2)
            .elastic(1, 9)
            .build()
            .plan(Profile.ET_V1ALPHA1);

    private final List<String> kept = new ArrayList<>();
    private JobState state = JobState.initial(PLAN).withPinnedIds(RoleType.WORKER, List.of(0, 1));
    private TargetSizeScalingRequests scalers = program();

    private TargetSizeScalingRequests program() {
        return new TargetSizeScalingRequests(
                PLAN,
                () -> state,
                new KubernetesSerialization(),
                () -> kept.isEmpty() ? Optional.empty() : Optional.of(kept.get(kept.size() - 1)),
                kept::add);
    }

    private Scaler next() {
        return scalers.next(NOW).orElseThrow();
    }

    private void is(ScalePhase phase) {
        scalers.keep(next().with(new ScaleState(phase, Optional.of(NOW), List.of(), "")));
    }

    @Test
    void a_target_set_during_a_failing_request_follows_it() {
        scalers.want(4, LIMIT);
        is(ScalePhase.SCALING);
        scalers.want(5, LIMIT);
        is(ScalePhase.FAILED);

        assertThat(next().request().change()).isEqualTo(3);
        is(ScalePhase.FAILED);
        assertThat(scalers.next(NOW)).isEmpty();
    }

    @Test
    void what_no_request_followed_yet_is_done_by_the_next_program() {
        scalers.want(5, LIMIT);
        scalers.close();
        scalers = program();

        assertThat(next().request().change()).isEqualTo(3);
        assertThat(next().request().timeout()).isEqualTo(LIMIT);
        is(ScalePhase.FAILED);
        assertThat(scalers.next(NOW)).isEmpty();
        scalers = program();
        assertThat(scalers.next(NOW)).isEmpty();
    }

    @Test
    void the_next_program_follows_a_newer_target_after_a_failed_request() {
        scalers.want(4, LIMIT);
        is(ScalePhase.SCALING);
        scalers.want(5, LIMIT.multipliedBy(2));
        scalers.close();
        scalers = program();

        assertThat(next().request().change()).isEqualTo(2);
        assertThat(next().request().timeout()).isEqualTo(LIMIT);
        is(ScalePhase.FAILED);
        assertThat(next().request().change()).isEqualTo(3);
        assertThat(next().request().timeout()).isEqualTo(LIMIT.multipliedBy(2));
    }

    @Test
    void a_newer_target_is_persisted_after_the_earlier_request() {
        scalers.want(4, LIMIT);
        is(ScalePhase.SCALING);
        scalers.want(5, LIMIT);
        is(ScalePhase.SUCCEEDED);
        state = state.withPinnedIds(RoleType.WORKER, List.of(0, 1, 2, 3));
        scalers = program();

        assertThat(next().request().change()).isEqualTo(1);
    }

    @Test
    void a_reached_target_is_dropped_for_every_program() {
        scalers.want(2, LIMIT);
        scalers.close();
        scalers = program();
        assertThat(scalers.next(NOW)).isEmpty();
        scalers = program();
        state = state.withPinnedIds(RoleType.WORKER, List.of(0));

        assertThat(scalers.next(NOW)).isEmpty();
    }

    @Test
    void a_persisted_target_survives_a_program_without_steps() {
        scalers.want(4, LIMIT);
        is(ScalePhase.SCALING);
        Scaler begun = next();
        scalers = program();
        scalers.want(5, LIMIT);
        scalers.close();
        scalers = program();

        assertThat(next()).isEqualTo(begun);
        is(ScalePhase.FAILED);
        assertThat(next().request().change()).isEqualTo(3);
    }

    @Test
    void what_is_asked_for_too_late_is_refused() {
        assertThat(scalers.want(4, LIMIT)).isTrue();
        scalers.close();

        assertThat(scalers.want(5, LIMIT)).isFalse();
    }

    @Test
    void nothing_is_persisted_without_a_target() {
        scalers.close();
        assertThat(kept).isEmpty();
        scalers = program();
        scalers.want(4, LIMIT);
        is(ScalePhase.SUCCEEDED);
        kept.clear();
        scalers.close();

        assertThat(kept).isEmpty();
    }
}
