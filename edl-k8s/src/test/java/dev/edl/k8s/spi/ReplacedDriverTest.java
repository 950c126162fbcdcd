package dev.edl.k8s.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobLostException;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Action;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Behavior of a driver after another one took over its job. Time passes only by creations, 40 ms each. */
class ReplacedDriverTest {
    private static final JobPlan PLAN = plan(300);
    private static final String WORKER = "elasticdl-mnist-worker-0";

    private final PaperApi api = new PaperApi();

    private static JobPlan plan(int workers) {
        return Job.named("mnist")
                .namespace("test")
                .image("mnist:1")
                .tensorflow()
                .workers(workers)
                .build()
                .plan();
    }

    private JobRecord record(JobPlan plan) {
        return JobRecord.create(api, plan, JobState.initial(plan), "first", Optional.empty())
                .clock(() -> api.now);
    }

    private void takeOver() {
        assertThat(JobRecord.takeOver(api, "mnist", "second", found -> {})).isPresent();
    }

    private PodSubstrate pods(JobPlan plan, JobRecord record) {
        return new PodSubstrate(api, plan, PodTemplates.of(plan), record, Optional.empty(), Runnable::run);
    }

    private ControlLoop loop(JobPlan plan, JobRecord record, PodSubstrate pods) {
        return ControlLoop.of(plan, pods)
                .clock(() -> api.now)
                .journal(record::save)
                .manual();
    }

    private static Action.DeleteReplica delete(Optional<String> uid) {
        return new Action.DeleteReplica(WORKER, uid, "a test", true);
    }

    private Pod pod() {
        return Objects.requireNonNull(api.pods.get(WORKER), WORKER);
    }

    @Test
    void of_300_creations_at_most_25_follow_a_take_over() {
        JobRecord record = record(PLAN);
        AtomicInteger begun = new AtomicInteger();
        api.before = () -> {
            if (begun.incrementAndGet() == 32) {
                takeOver();
            }
        };
        try (PodSubstrate pods = pods(PLAN, record);
                ControlLoop job = loop(PLAN, record, pods)) {
            job.step();

            assertThat(job.lost()).isTrue();
        }
        assertThat(api.count("create")).isBetween(32L, 31L + 25);
    }

    @Test
    void a_driver_that_is_not_replaced_reads_its_record_once_a_second() {
        JobRecord record = record(PLAN);
        try (PodSubstrate pods = pods(PLAN, record);
                ControlLoop job = loop(PLAN, record, pods)) {
            job.step();

            assertThat(job.lost()).isFalse();
        }
        assertThat(api.count("create")).isEqualTo(300);
        // 300 creations take 12 s.
        assertThat(api.count("get record")).isBetween(10L, 12L);
    }

    @Test
    void a_stalled_driver_makes_no_requests_after_a_take_over() {
        JobPlan plan = plan(2);
        JobRecord record = record(plan);
        try (PodSubstrate pods = pods(plan, record);
                ControlLoop job = ControlLoop.of(plan, pods)
                        .clock(() -> api.now)
                        .journal(state -> {
                            record.save(state);
                            takeOver();
                            api.now = api.now.plusSeconds(5);
                        })
                        .manual()) {
            job.step();

            assertThat(job.lost()).isTrue();
        }
        assertThat(api.pods).isEmpty();
    }

    @Test
    void a_late_deletion_spares_the_pod_of_the_next_driver() {
        JobPlan plan = plan(1);
        JobRecord record = record(plan);
        try (PodSubstrate pods = pods(plan, record)) {
            pods.apply(plan, new Action.CreateReplica(plan.replica("worker", 0)));
            String old = pod().getMetadata().getUid();
            // Between the decision and the request.
            api.before = () -> api.replacePod(WORKER);
            pods.apply(plan, delete(Optional.of(old)));

            assertThat(pod().getMetadata().getUid()).isNotEqualTo(old);
        }
    }

    @Test
    void a_deletion_takes_one_request_where_the_uid_is_known() {
        JobPlan plan = plan(1);
        JobRecord record = record(plan);
        try (PodSubstrate pods = pods(plan, record)) {
            pods.apply(plan, new Action.CreateReplica(plan.replica("worker", 0)));
            String uid = pod().getMetadata().getUid();
            api.requests.clear();
            pods.apply(plan, delete(Optional.of(uid)));

            assertThat(api.pods).isEmpty();
            assertThat(api.requests).containsExactly("delete " + WORKER);
        }
    }

    @Test
    void a_replaced_driver_deletes_no_unobserved_pod() {
        JobPlan plan = plan(1);
        JobRecord record = record(plan);
        try (PodSubstrate pods = pods(plan, record)) {
            record.confirmNow();
            pods.apply(plan, new Action.CreateReplica(plan.replica("worker", 0)));
            takeOver();

            assertThatThrownBy(() -> pods.apply(plan, delete(Optional.empty())))
                    .isInstanceOf(JobLostException.class)
                    .hasMessage("another program drives it now, second");
            assertThat(api.pods).hasSize(1);
        }
    }

    @Test
    void a_clock_that_is_set_back_confirms_nothing() {
        JobRecord record = record(PLAN);
        record.confirmNow();
        takeOver();
        record.confirmDriver();
        api.now = api.now.minus(Duration.ofHours(1));

        assertThatThrownBy(record::confirmDriver).isInstanceOf(JobLostException.class);
    }
}
