package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.operators.crd.et.ScalePhase;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.ScaleState;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.et.ScalingRequestSource;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.reconcile.JobState;
import dev.edl.spec.RoleType;
import dev.edl.status.NodeNotice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Workers of a Horovod job leave nodes by scaling in and out in et-operator's order, which {@code ScaleDecider}'s tests
 * check.
 */
class NodeDrainScalingRequestsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final NodeNotice CORDONED = new NodeNotice("node-2", "cordoned");
    private static final NodeNotice SPOT = new NodeNotice("node-1", "taint aws-node-termination-handler/spot-itn");

    private final Map<String, NodeNotice> noticed = new LinkedHashMap<>();
    private final List<String> kept = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<Scaler> others = new ArrayList<>();
    private Instant now = NOW;
    private Consumer<String> hears = text -> {};

    private final ScalingRequestSource asked = new ScalingRequestSource() {
        @Override
        public Optional<Scaler> next(Instant at) {
            return others.stream().findFirst();
        }

        @Override
        public void keep(Scaler scaler) {
            others.clear();
        }
    };

    private static JobPlan plan(int workers, int min, int max) {
        return Job.named("mnist")
                .horovod()
                .image("horovod:1")
                .launcher()
                .workers(workers)
                .elastic(min, max)
                .build()
                .plan(Profile.ET_V1ALPHA1);
    }

    /** A job with the scaler that drains its nodes. */
    private final class Trial {
        private final JobPlan plan;
        private JobState state;
        private NodeDrainScalingRequests leaving;

        Trial(JobPlan plan, Integer... ids) {
            this.plan = plan;
            this.state = JobState.initial(plan).withPinnedIds(RoleType.WORKER, List.of(ids));
            this.leaving = program();
        }

        NodeDrainScalingRequests program() {
            return new NodeDrainScalingRequests(
                    plan,
                    asked,
                    () -> state,
                    () -> noticed,
                    new KubernetesSerialization(),
                    () -> kept.isEmpty() ? Optional.empty() : Optional.of(kept.get(kept.size() - 1)),
                    kept::add,
                    text -> {
                        told.add(text);
                        hears.accept(text);
                    });
        }

        /** Returns the current request as a short text. */
        String next() {
            return leaving.next(now)
                    .map(scaler -> scaler.request().toString().replace("scale default/mnist worker by ", ""))
                    .orElse("none");
        }

        /** Ends the request, with these workers left. */
        void ends(ScalePhase phase, Integer... ids) {
            Scaler scaler = leaving.next(now).orElseThrow();
            leaving.keep(scaler.with(new ScaleState(phase, Optional.of(now), List.of(), "")));
            state = state.withPinnedIds(RoleType.WORKER, List.of(ids));
            noticed.keySet().removeIf(name -> !List.of(ids).contains(DesiredWorkers.id(name)));
        }
    }

    private void going(NodeNotice notice, String... workers) {
        for (String worker : workers) {
            noticed.put("mnist-" + worker, notice);
        }
    }

    @Test
    @Timeout(60)
    void a_listener_may_wait_for_a_thread_that_scales() {
        Trial job = new Trial(plan(3, 1, 9), 0, 1, 2);
        hears = text -> CompletableFuture.runAsync(job.leaving::forget, scaling -> new Thread(scaling).start())
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
        going(CORDONED, "worker-1");

        assertThat(job.next()).isEqualTo("-1 [mnist-worker-1] within PT1M");
    }

    @Test
    void target_is_dropped_once_the_count_is_restored() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(CORDONED, "worker-1");
        job.next();
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);
        assertThat(job.next()).isEqualTo("+1 within PT1M");
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3, 4);
        assertThat(job.next()).isEqualTo("none");
        job.state = job.state.withPinnedIds(RoleType.WORKER, List.of(0, 2, 3, 4, 5, 6));
        job.leaving = job.program();

        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void a_users_request_is_not_undone_by_the_target_of_another_program() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(CORDONED, "worker-1");
        job.next();
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);
        job.leaving = job.program();
        job.leaving.forget();
        assertThat(job.next()).isEqualTo("none");
        job.leaving = job.program();

        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void a_users_request_holds_though_the_program_ends_at_once() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(CORDONED, "worker-1");
        job.next();
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);
        job.leaving = job.program();
        job.leaving.forget();
        job.leaving.close();
        job.leaving = job.program();

        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void workers_that_a_user_adds_while_others_leave_count_for_the_next_program() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(CORDONED, "worker-1");
        job.next();
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);
        Scaler more = new Scaler("more", now, ScaleRequest.out("mnist", 2));
        others.add(more);
        assertThat(job.next()).isEqualTo("+2 within PT1M");
        job.leaving.keep(more.with(new ScaleState(ScalePhase.SUCCEEDED, Optional.of(now), List.of(), "")));
        job.state = job.state.withPinnedIds(RoleType.WORKER, List.of(0, 2, 3, 5, 6));
        job.leaving = job.program();

        assertThat(job.next()).isEqualTo("+1 within PT1M");
    }

    @Test
    void nothing_is_asked_for_while_no_node_goes() {
        assertThat(new Trial(plan(3, 1, 9), 0, 1, 2).next()).isEqualTo("none");
    }

    @Test
    void a_node_s_workers_are_scaled_in_and_as_many_are_scaled_out() {
        Trial job = new Trial(plan(3, 1, 9), 0, 1, 2);
        going(CORDONED, "worker-1", "worker-2");

        assertThat(job.next()).isEqualTo("-2 [mnist-worker-1, mnist-worker-2] within PT1M");
        assertThat(job.next()).isEqualTo("-2 [mnist-worker-1, mnist-worker-2] within PT1M");
        assertThat(told)
                .containsExactly("node-2 is about to go (cordoned): mnist-worker-1, mnist-worker-2 leave the launcher's"
                        + " hosts and then the job, and as many workers are added");

        job.ends(ScalePhase.SUCCEEDED, 0);
        assertThat(job.next()).isEqualTo("+2 within PT1M");
        job.ends(ScalePhase.SUCCEEDED, 0, 3, 4);
        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void the_next_node_s_turn_comes_when_the_successors_are_hosts() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(SPOT, "worker-0", "worker-1");
        going(CORDONED, "worker-2");

        assertThat(job.next()).startsWith("-2 [mnist-worker-0, mnist-worker-1]");
        job.ends(ScalePhase.SUCCEEDED, 2, 3);
        assertThat(job.next()).startsWith("+2");
        job.ends(ScalePhase.SUCCEEDED, 2, 3, 4, 5);
        assertThat(job.next()).startsWith("-1 [mnist-worker-2]");
    }

    @Test
    void owed_workers_are_requested_again_after_a_failed_scale_out() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(SPOT, "worker-0", "worker-1");
        going(CORDONED, "worker-2");
        job.next();
        job.ends(ScalePhase.SUCCEEDED, 2, 3);
        job.next();
        job.ends(ScalePhase.FAILED, 2, 3);

        assertThat(job.next()).startsWith("-1 [mnist-worker-2]");
        job.ends(ScalePhase.SUCCEEDED, 3);
        assertThat(job.next()).isEqualTo("none");
        now = now.plus(NodeDrainScalingRequests.LIMIT).plus(NodeDrainScalingRequests.PAUSE);
        assertThat(job.next()).isEqualTo("+3 within PT1M");
    }

    @Test
    void the_elastic_minimum_is_left() {
        Trial job = new Trial(plan(4, 3, 4), 0, 1, 2, 3);
        going(CORDONED, "worker-1", "worker-2");

        assertThat(job.next()).startsWith("-1 [mnist-worker-1]");
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);
        assertThat(job.next()).startsWith("+1");
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3, 4);
        assertThat(job.next()).startsWith("-1 [mnist-worker-2]");
    }

    @Test
    void a_job_that_has_no_more_is_scaled_out_first() {
        Trial job = new Trial(plan(2, 2, 4), 0, 1);
        going(CORDONED, "worker-1");

        assertThat(job.next()).isEqualTo("+1 within PT1M");
        assertThat(told)
                .containsExactly(
                        "node-2 is about to go (cordoned): 1 worker is added first, as the job has no more than"
                                + " its minimum of 2");
        job.ends(ScalePhase.SUCCEEDED, 0, 1, 2);
        assertThat(job.next()).startsWith("-1 [mnist-worker-1]");
        job.ends(ScalePhase.SUCCEEDED, 0, 2);
        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void workers_added_for_a_node_that_stays_are_removed() {
        Trial job = new Trial(plan(2, 2, 4), 0, 1);
        going(CORDONED, "worker-1");
        job.next();
        job.ends(ScalePhase.SUCCEEDED, 0, 1, 2);
        noticed.clear();

        assertThat(job.next()).isEqualTo("-1 within PT1M");
        job.ends(ScalePhase.SUCCEEDED, 0, 1);
        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void workers_at_fixed_size_stay_and_it_is_reported_once() {
        Trial job = new Trial(plan(2, 2, 2), 0, 1);
        going(CORDONED, "worker-1");

        assertThat(job.next()).isEqualTo("none");
        assertThat(job.next()).isEqualTo("none");
        assertThat(told)
                .containsExactly(
                        "node-2 is about to go (cordoned): its workers stay for now, as the job has no more than"
                                + " its minimum of 2");
    }

    @Test
    void workers_of_a_job_that_is_not_elastic_stay() {
        JobPlan fixed = Job.named("mnist")
                .horovod()
                .image("horovod:1")
                .launcher()
                .workers(2)
                .build()
                .plan(Profile.ET_V1ALPHA1);
        Trial job = new Trial(fixed, 0, 1);
        going(CORDONED, "worker-1");

        assertThat(job.next()).isEqualTo("none");
        assertThat(told)
                .containsExactly(
                        "node-2 is about to go (cordoned): its workers stay for now, because the job is not elastic");
    }

    @Test
    void a_worker_whose_process_does_not_end_is_asked_again_after_a_while() {
        Trial job = new Trial(plan(3, 1, 9), 0, 1, 2);
        going(CORDONED, "worker-1");
        job.next();
        job.ends(ScalePhase.FAILED, 0, 1, 2);

        assertThat(job.next()).isEqualTo("none");
        now = now.plus(NodeDrainScalingRequests.LIMIT)
                .plus(NodeDrainScalingRequests.PAUSE)
                .plus(Duration.ofSeconds(1));
        assertThat(job.next()).startsWith("-1 [mnist-worker-1]");
    }

    @Test
    void a_users_request_comes_first_and_counts() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(CORDONED, "worker-1");
        job.next();
        Scaler theirs = new Scaler("more", now, ScaleRequest.out("mnist", 1).timeout(Duration.ofSeconds(9)));
        others.add(theirs);
        assertThat(job.next()).as("what was begun is ended").startsWith("-1 [mnist-worker-1]");

        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);
        assertThat(job.next()).isEqualTo("+1 within PT9S");
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3, 4);
        assertThat(job.next()).isEqualTo("+1 within PT1M");
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3, 4, 5);
        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void no_worker_is_replaced_once_a_user_has_set_a_number() {
        Trial job = new Trial(plan(4, 1, 9), 0, 1, 2, 3);
        going(CORDONED, "worker-1");
        job.next();
        job.leaving.forget();
        job.ends(ScalePhase.SUCCEEDED, 0, 2, 3);

        assertThat(job.next()).isEqualTo("none");
    }

    @Test
    void another_program_goes_on_with_it() {
        Trial job = new Trial(plan(3, 1, 9), 0, 1, 2);
        going(CORDONED, "worker-1");
        Scaler begun = job.leaving.next(now).orElseThrow();
        Scaler scaling =
                begun.with(new ScaleState(ScalePhase.SCALING, Optional.of(now), List.of("mnist-worker-1"), ""));
        job.leaving.keep(scaling);

        job.leaving = job.program();
        assertThat(job.leaving.next(now).map(Scaler::state)).contains(scaling.state());
        job.ends(ScalePhase.SUCCEEDED, 0, 2);

        job.leaving = job.program();
        assertThat(job.next()).isEqualTo("+1 within PT1M");
    }
}
