package dev.edl.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleType;
import dev.edl.status.JobEvent;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Workers leave a node that is about to be drained, a few at a time, and their successors run elsewhere. */
class NodeDrainRuleTest {
    private static final NodeNotice CORDONED = new NodeNotice("node-2", "cordoned");
    private static final NodeNotice SPOT = new NodeNotice("node-1", "taint aws-node-termination-handler/spot-itn");
    private static final Duration MOMENT = Duration.ofMillis(100);

    private static Trial elastic(int workers, int min) {
        return Trial.running(Job.named("mnist")
                .image("mnist:1")
                .master()
                .ps(1)
                .workers(workers)
                .elastic(min, 9)
                .build()
                .plan());
    }

    private static Trial noticed(Trial job, NodeNotice notice, String... replicas) {
        for (String replica : replicas) {
            job.change(replica, seen -> seen.withNotice(notice));
        }
        return job.after(MOMENT).decide();
    }

    private static ObservedReplica there(Trial job, String replica) {
        return Objects.requireNonNull(job.objects.get(job.name(replica)));
    }

    private static List<String> told(Trial job) {
        return job.messages(JobEvent.Type.NODE_NOTICE).stream()
                .map(text -> text.replace("elasticdl-mnist-", ""))
                .toList();
    }

    @Test
    void a_worker_leaves_its_node_and_is_replaced_for_free() {
        Trial job = noticed(elastic(3, 1), CORDONED, "worker-1");

        assertThat(job.actions()).containsExactly("delete worker-1: node-2 is about to go (cordoned)");
        assertThat(told(job))
                .containsExactly("node-2 is about to go (cordoned): worker-1 is deleted, and another worker takes its"
                        + " place");

        job.decide();
        assertThat(job.actions()).containsExactly("create worker-3");
        assertThat(job.messages(JobEvent.Type.REPLICA_DELETED))
                .containsExactly("elasticdl-mnist-worker-1 was deleted: node-2 is about to go (cordoned)");
        assertThat(job.messages(JobEvent.Type.RELAUNCHED))
                .containsExactly("Relaunch the worker: elasticdl-mnist-worker-1");
        assertThat(job.replica("worker-3").relaunchesUsed()).isZero();
        assertThat(job.replica("worker-3").index()).isEqualTo(1);
        assertThat(job.decision().wakeAfter())
                .hasValueSatisfying(wake -> assertThat(wake).isPositive());
    }

    @Test
    void an_exit_code_after_a_drain_is_no_success() {
        Trial job = noticed(elastic(3, 1), CORDONED, "worker-1");
        job.objects.put(
                job.name("worker-1"),
                ObservedReplica.of(job.name("worker-1"), RoleType.WORKER, 1, ObservedPhase.RUNNING)
                        .withNotice(CORDONED)
                        .beingDeleted()
                        .withExitCode(0));
        job.decide();

        assertThat(job.actions()).containsExactly("create worker-3");
        assertThat(job.messages(JobEvent.Type.REPLICA_SUCCEEDED)).isEmpty();
    }

    @Test
    void a_worker_that_has_just_succeeded_is_not_relaunched() {
        Trial job = elastic(3, 1);
        job.exits("worker-1", 0);
        noticed(job, CORDONED, "worker-1");

        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("worker-1").stage()).isEqualTo(ReplicaStage.SUCCEEDED);
    }

    @Test
    void a_name_that_is_kept_waits_until_the_old_object_is_gone() {
        Trial job = Trial.running(Job.named("mnist")
                .image("mnist:1")
                .tensorflow()
                .ps(1)
                .workers(2)
                .build()
                .plan(Profile.TFJOB_V1ALPHA1));
        String name = job.plan.replicaName(RoleType.WORKER, 1);
        job.objects.computeIfPresent(name, (n, seen) -> seen.withNotice(CORDONED));
        job.after(MOMENT).decide();
        assertThat(job.actions()).containsExactly("delete " + name + ": node-2 is about to go (cordoned)");

        job.objects.put(
                name,
                ObservedReplica.of(name, RoleType.WORKER, 1, ObservedPhase.RUNNING)
                        .withNotice(CORDONED)
                        .beingDeleted());
        assertThat(job.after(MOMENT).decide().actions()).isEmpty();
        job.objects.remove(name);
        assertThat(job.after(MOMENT).decide().actions()).containsExactly("create " + name);
    }

    @Test
    void the_next_node_drains_once_all_successors_run() {
        Trial job = elastic(6, 1);
        noticed(job, SPOT, "worker-0", "worker-1");
        assertThat(job.actions()).hasSize(2);
        noticed(job, CORDONED, "worker-2", "worker-3");

        assertThat(job.actions()).containsExactly("create worker-6", "create worker-7");
        assertThat(told(job))
                .containsExactly(
                        "node-2 is about to go (cordoned): worker-2 stays for now, it leaves when the workers before"
                                + " it run elsewhere, or after 30s",
                        "node-2 is about to go (cordoned): worker-3 stays for now, it leaves when the workers before"
                                + " it run elsewhere, or after 30s");

        job.after(MOMENT).decide();
        assertThat(told(job)).isEmpty();
        job.runAll();
        job.after(MOMENT).decide();
        assertThat(job.actions())
                .containsExactly(
                        "delete worker-2: node-2 is about to go (cordoned)",
                        "delete worker-3: node-2 is about to go (cordoned)");
    }

    @Test
    void the_next_node_drains_after_a_while_if_successors_are_unschedulable() {
        Trial job = elastic(6, 1);
        noticed(job, SPOT, "worker-0", "worker-1");
        noticed(job, CORDONED, "worker-2", "worker-3");
        job.after(MOMENT).decide();
        assertThat(job.decision().wakeAfter())
                .hasValueSatisfying(wake -> assertThat(wake).isLessThanOrEqualTo(NodeDrainRule.PATIENCE));

        job.after(NodeDrainRule.PATIENCE).decide();

        assertThat(job.actions())
                .contains(
                        "delete worker-2: node-2 is about to go (cordoned)",
                        "delete worker-3: node-2 is about to go (cordoned)");
    }

    @Test
    void if_every_node_drains_the_elastic_minimum_keeps_running() {
        Trial job = elastic(4, 2);
        noticed(job, SPOT, "worker-0", "worker-1", "worker-2");
        noticed(job, CORDONED, "worker-3");
        assertThat(job.there()).contains("worker-2", "worker-3", "worker-4 pending", "worker-5 pending");

        for (int minute = 0; minute < 10; minute++) {
            job.after(Duration.ofMinutes(1)).decide();
            assertThat(job.actions()).isEmpty();
        }

        job.runAll();
        job.after(MOMENT).decide();
        assertThat(job.actions())
                .containsExactly(
                        "delete worker-2: node-1 is about to go (taint aws-node-termination-handler/spot-itn)");
        job.after(MOMENT).decide();
        job.runAll();
        assertThat(job.after(MOMENT).decide().actions())
                .containsExactly("delete worker-3: node-2 is about to go (cordoned)");
    }

    @Test
    void a_job_at_its_minimum_drains_one_worker_at_a_time() {
        Trial job = Trial.running(
                Job.named("mnist").image("mnist:1").master().workers(3).build().plan());
        noticed(job, CORDONED, "worker-0", "worker-1", "worker-2");

        assertThat(job.actions()).containsExactly("delete worker-0: node-2 is about to go (cordoned)");
        assertThat(told(job))
                .contains("node-2 is about to go (cordoned): worker-1 stays for now, it leaves when others run, since 2"
                        + " must run");
        assertThat(job.after(MOMENT).decide().actions()).containsExactly("create worker-3");
        assertThat(job.after(Duration.ofHours(1)).decide().actions()).isEmpty();
        job.runAll();
        assertThat(job.after(MOMENT).decide().actions())
                .containsExactly("delete worker-1: node-2 is about to go (cordoned)");
    }

    @Test
    void succeeded_workers_do_not_count_as_running() {
        Trial job = Trial.running(
                Job.named("mnist").image("mnist:1").master().workers(3).build().plan());
        job.exits("worker-0", 0).exits("worker-1", 0).decide();
        noticed(job, CORDONED, "worker-2");

        assertThat(job.actions()).containsExactly("delete worker-2: node-2 is about to go (cordoned)");
    }

    @Test
    void the_only_worker_leaves_too() {
        Trial job = noticed(elastic(1, 1), CORDONED, "worker-0");

        assertThat(job.actions()).containsExactly("delete worker-0: node-2 is about to go (cordoned)");
    }

    @Test
    void pending_workers_drain_at_once() {
        Trial job = elastic(3, 3);
        job.vanish("worker-2").decide();
        noticed(job, CORDONED, "worker-0", "worker-3");

        assertThat(job.actions()).containsExactly("delete worker-3: node-2 is about to go (cordoned)");
    }

    @Test
    void a_node_that_stays_after_all_keeps_its_workers() {
        Trial job = elastic(3, 2);
        noticed(job, CORDONED, "worker-0", "worker-1");
        assertThat(job.actions()).containsExactly("delete worker-0: node-2 is about to go (cordoned)");
        job.change("worker-1", ObservedReplica::withoutNotice);
        job.after(MOMENT).decide();
        job.runAll();
        job.after(MOMENT).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.there()).contains("worker-1", "worker-2", "worker-3");
        assertThat(job.replica("worker-1").drainNotice()).isEmpty();

        noticed(job, CORDONED, "worker-1");
        assertThat(job.actions()).containsExactly("delete worker-1: node-2 is about to go (cordoned)");
    }

    @Test
    void a_worker_stays_if_its_node_is_uncordoned_before_the_deletion() {
        Trial job = elastic(3, 1);
        ObservedReplica before = there(job, "worker-1");
        noticed(job, CORDONED, "worker-1");
        job.objects.put(before.name(), before);
        job.after(MOMENT).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.replica("worker-1").stage()).isEqualTo(ReplicaStage.RUNNING);
        assertThat(job.replica("worker-1").drainedAt()).isEmpty();
        job.objects.put(before.name(), before.beingDeleted());
        assertThat(job.decide().actions()).containsExactly("create worker-3");
    }

    @Test
    void a_lost_deletion_is_requested_again_after_1s() {
        Trial job = elastic(3, 1);
        ObservedReplica there = there(job, "worker-1").withNotice(CORDONED);
        noticed(job, CORDONED, "worker-1");
        job.objects.put(there.name(), there);
        assertThat(job.after(MOMENT).decide().actions()).isEmpty();
        assertThat(job.after(ReconcileContext.ASK_AGAIN).decide().actions())
                .containsExactly("delete worker-1: node-2 is about to go (cordoned)");
        assertThat(told(job)).isEmpty();
    }

    @Test
    void an_eviction_after_the_notice_makes_no_second_successor() {
        Trial job = noticed(elastic(3, 1), CORDONED, "worker-1");
        ObservedReplica evicted = ObservedReplica.of(job.name("worker-1"), RoleType.WORKER, 1, ObservedPhase.RUNNING)
                .withNotice(CORDONED)
                .withReason("EvictionByEvictionAPI")
                .beingDeleted();
        job.objects.put(evicted.name(), evicted);
        assertThat(job.after(MOMENT).decide().actions()).containsExactly("create worker-3");
        assertThat(job.after(MOMENT).decide().actions()).isEmpty();
        job.objects.remove(evicted.name());

        assertThat(job.after(Duration.ofSeconds(2)).decide().actions()).isEmpty();
        assertThat(job.there()).containsExactly("master", "ps-0", "worker-0", "worker-2", "worker-3 pending");
    }

    @Test
    void a_worker_evicted_before_its_drain_is_not_deleted() {
        Trial job = elastic(3, 1);
        job.change("worker-1", seen -> seen.withNotice(CORDONED).beingDeleted()).decide();

        assertThat(job.actions()).containsExactly("create worker-3");
        assertThat(told(job)).isEmpty();
    }

    @Test
    void other_roles_stay_until_evicted_and_are_reported_once() {
        Trial job = noticed(elastic(3, 1), CORDONED, "master", "ps-0");

        assertThat(job.actions()).isEmpty();
        assertThat(told(job))
                .containsExactly(
                        "node-2 is about to go (cordoned): master stays for now, only workers leave before an eviction",
                        "node-2 is about to go (cordoned): ps-0 stays for now, only workers leave before an eviction");
        assertThat(told(job.after(MOMENT).decide())).isEmpty();
        noticed(job, new NodeNotice("node-2", "taint karpenter.sh/disrupted"), "ps-0");
        assertThat(told(job)).hasSize(1);
    }

    @Test
    void a_worker_that_would_have_no_successor_stays() {
        JobPlan plan = Job.named("mnist")
                .image("mnist:1")
                .master()
                .workers(3)
                .restart(RestartPolicy.NEVER)
                .build()
                .plan();
        Trial job = noticed(Trial.running(plan), CORDONED, "worker-0");

        assertThat(job.actions()).isEmpty();
        assertThat(told(job))
                .containsExactly("node-2 is about to go (cordoned): worker-0 stays for now, its restart policy is"
                        + " NEVER, so it has no successor");
    }

    @Test
    void an_ended_or_suspended_job_is_left_as_it_is() {
        Trial ended = elastic(3, 1);
        ended.exits("master", 0).decide();
        assertThat(told(noticed(ended, CORDONED, "worker-0"))).isEmpty();

        Trial suspended = elastic(3, 1);
        suspended.state = suspended.state.withSuspended(true);
        noticed(suspended, CORDONED, "worker-0");
        assertThat(told(suspended)).isEmpty();
        assertThat(suspended.after(Duration.ofSeconds(2)).decide().actions()).isEmpty();
    }

    @Test
    void scaling_down_takes_those_whose_node_goes_first() {
        Trial job = Trial.running(Job.named("mnist")
                .image("mnist:1")
                .master()
                .workers(3)
                .elastic(1, 3)
                .restart(RestartPolicy.NEVER)
                .build()
                .plan());
        noticed(job, CORDONED, "worker-0");
        job.state = job.state.withDesired(RoleType.WORKER, 2);
        job.after(MOMENT).decide();

        assertThat(job.actions())
                .containsExactly("delete worker-0: scaled down to 2, node-2 is about to go (cordoned)");
    }

    @Test
    void a_drained_worker_above_the_desired_number_has_no_successor() {
        Trial job = elastic(3, 1);
        noticed(job, CORDONED, "worker-0");
        job.state = job.state.withDesired(RoleType.WORKER, 2);
        job.after(MOMENT).decide();

        assertThat(job.actions()).isEmpty();
        assertThat(job.there()).containsExactly("master", "ps-0", "worker-1", "worker-2");
    }

    @Test
    void drain_notices_are_persisted() {
        Trial job = noticed(elastic(3, 2), CORDONED, "worker-0", "worker-1", "ps-0");

        assertThat(JobState.fromJson(job.state.toJson())).isEqualTo(job.state);
        assertThat(job.state.toJson())
                .contains("\"notice\":\"node-2 is about to go (cordoned)\",\"evacuated\":\"2026-01-01T00:00:00.100Z\"");
    }

    @Test
    void many_workers_on_many_nodes_all_move_and_the_minimum_always_runs() {
        Trial job = elastic(9, 4);
        for (int pass = 0; pass < 100; pass++) {
            job.objects.replaceAll((name, seen) -> seen.role() == RoleType.WORKER && seen.id() < 9
                    ? seen.withNotice(new NodeNotice("node-" + seen.id() % 3, "cordoned"))
                    : seen);
            job.after(Duration.ofSeconds(1)).decide();
            assertThat(job.objects.values())
                    .filteredOn(seen -> seen.role() == RoleType.WORKER && seen.phase() == ObservedPhase.RUNNING)
                    .hasSizeGreaterThanOrEqualTo(4);
            if (pass % 5 == 0) {
                job.runAll();
            }
        }
        assertThat(job.objects.values())
                .filteredOn(seen -> seen.role() == RoleType.WORKER)
                .hasSize(9)
                .allSatisfy(seen -> assertThat(seen.id()).isGreaterThanOrEqualTo(9))
                .allSatisfy(seen -> assertThat(seen.phase()).isEqualTo(ObservedPhase.RUNNING));
    }
}
