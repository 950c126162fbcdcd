package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.testkit.history.HistoryReport;
import dev.edl.testkit.history.HistoryRule;
import dev.edl.testkit.history.HistoryViolation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Repeats the same run, each time with another bug between the workers, the shards and the disk. */
class PlantedBugsTest {
    private final ObservedRun run = new ObservedRun();

    private List<String> found() throws InterruptedException {
        HistoryReport report = run.check();
        assertThat(report.holds()).isFalse();
        return report.violations().stream().map(HistoryViolation::toString).toList();
    }

    @Test
    void without_a_bug_the_history_holds() throws Exception {
        assertThat(run.check())
                .hasToString(
                        "holds: 36 pushes sent, 56 taken in 32 updates, staleness at most 1, 1 restores, 8 pushes lost, 8 of them redone, 32 updates replayed");
    }

    /** Changes one push to ps-1, which the worker of that push calls before ps-0. */
    private abstract static class OnePush extends PlantedBug {
        private final long bad;
        private boolean done;

        OnePush(long bad) {
            this.bad = bad;
        }

        @Override
        PushResult push(Port port, long pushId, WeightVersions base, float[] gradient) throws InterruptedException {
            if (done || pushId != bad) {
                return port.direct(pushId, base, gradient);
            }
            done = true;
            PushResult second = bad(port.shard(1), port.worker, pushId, base.version(1), gradient);
            PushResult first = port.shard(0).push(port.worker, pushId, base.version(0), gradient);
            return port.told(List.of(first, second));
        }

        abstract PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient);
    }

    /** Changes one push of a worker in transit to all shards. */
    private abstract static class OneChange extends PlantedBug {
        private final long bad;
        private boolean done;

        OneChange(long bad) {
            this.bad = bad;
        }

        @Override
        PushResult push(Port port, long pushId, WeightVersions base, float[] gradient) throws InterruptedException {
            if (done || pushId != bad) {
                return port.direct(pushId, base, gradient);
            }
            done = true;
            return port.direct(pushId, base(base), gradient(gradient));
        }

        WeightVersions base(WeightVersions base) {
            return base;
        }

        float[] gradient(float[] gradient) {
            return gradient;
        }
    }

    @Test
    void a_push_that_is_acknowledged_and_dropped_is_found() throws Exception {
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                return new PushResult(PushResult.Outcome.APPLIED, shard.version() + 1);
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 41, ACKNOWLEDGED: push 5 of w1: ps-1 answered APPLIED at version 3, but it did nothing with it since it was sent in event 38");
    }

    @Test
    void push_wrongly_dropped_as_duplicate_is_found() throws Exception {
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                return new PushResult(PushResult.Outcome.DUPLICATE, shard.version());
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 41, ACKNOWLEDGED: push 5 of w1: ps-1 answered DUPLICATE at version 2, but it did nothing with it since it was sent in event 38");
    }

    @Test
    void shard_claiming_to_hold_a_lost_push_is_found() throws Exception {
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                return new PushResult(PushResult.Outcome.ACCUMULATED, shard.version());
            }

            @Override
            long resumeAt(Port port, long first, int count) throws InterruptedException {
                long held = port.directResumeAt(first, count);
                return held == 5 ? port.directResumeAt(6, Math.toIntExact(first + count - 6)) : held;
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 41, ACKNOWLEDGED: push 5 of w1: ps-1 answered ACCUMULATED at version 2, but it did nothing with it since it was sent in event 38");
    }

    @Test
    void push_reapplied_under_another_id_is_found() throws Exception {
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                shard.push(worker, 47, basedOn, gradient);
                return shard.push(worker, pushId, shard.version(), gradient);
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 39, UNCHANGED: ps-1 accepted push 47 of w1, but that worker sent push 5 last, in event 38");
    }

    @Test
    void a_shard_that_takes_another_workers_gradient_is_found() throws Exception {
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                return shard.push(worker, pushId, basedOn, ObservedRun.gradient(4));
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 39, UNCHANGED: ps-1 accepted push 5 of w1 with another gradient than was sent in event 38");
    }

    @Test
    void torn_gradient_is_found() throws Exception {
        run.bug = new OneChange(5) {
            @Override
            float[] gradient(float[] gradient) {
                float[] torn = gradient.clone();
                torn[6] = ObservedRun.gradient(4)[6];
                return torn;
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 39, UNCHANGED: ps-1 accepted push 5 of w1 with another gradient than was sent in event 38");
    }

    @Test
    void a_push_that_arrives_under_another_workers_name_is_found() throws Exception {
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                return shard.push("w3", pushId, basedOn, gradient);
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 39, UNCHANGED: ps-1 accepted push 5 of w3, but that worker sent push 3 last, in event 22");
    }

    @Test
    void reordered_push_is_found() throws Exception {
        List<Runnable> late = new ArrayList<>();
        run.bug = new OnePush(5) {
            @Override
            PushResult bad(ParameterShard shard, String worker, long pushId, long basedOn, float[] gradient) {
                float[] kept = gradient.clone();
                late.add(() -> shard.push(worker, pushId, shard.version(), kept));
                return new PushResult(PushResult.Outcome.ACCUMULATED, shard.version());
            }

            @Override
            void pull(Port port, float[] into, WeightVersions base) throws InterruptedException {
                late.forEach(Runnable::run);
                late.clear();
                port.direct(into, base);
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 41, ACKNOWLEDGED: push 5 of w1: ps-1 answered ACCUMULATED at version 2, but it did nothing with it since it was sent in event 38");
    }

    @Test
    void stale_push_reported_as_applied_is_found() throws Exception {
        run.bug = new PlantedBug() {
            @Override
            PushResult answer(PushResult result) {
                return result.outcome() == PushResult.Outcome.STALE
                        ? new PushResult(PushResult.Outcome.APPLIED, result.version())
                        : result;
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 113, ACKNOWLEDGED: push 16 of w0: ps-1 answered APPLIED at version 4, but it did STALE at version 4 since it was sent in event 110");
    }

    @Test
    void base_version_increased_in_transit_is_found() throws Exception {
        run.bug = new OneChange(6) {
            @Override
            WeightVersions base(WeightVersions base) {
                return with(base, 1, base.life(1), base.version(1) + 1);
            }
        };
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 46, UNCHANGED: ps-1 accepted push 6 of w2 as based on version 3, but it was sent in event 44 as based on version 2");
    }

    @Test
    void worker_claiming_newer_weights_than_pulled_is_found() throws Exception {
        run.claims = versions -> new long[] {versions[0] + (versions[0] == 2 ? 1 : 0), versions[1]};
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 34, BASED_ON: push 4 of w0 claims to be based on version 3 of ps-0, but the worker pulled 2");
    }

    @Test
    void shard_reporting_a_version_it_has_not_made_is_found() throws Exception {
        run.bug = new PlantedBug() {
            @Override
            void pull(Port port, float[] into, WeightVersions base) throws InterruptedException {
                port.direct(into, base);
                for (int i = 0; i < base.shards(); i++) {
                    base.set(i, base.life(i), base.version(i) + 1);
                }
            }
        };
        assertThat(found()).first().isEqualTo("event 4, PULLED: w0 pulled version 1 of ps-0, which does not exist yet");
    }

    @Test
    void pull_of_new_weights_with_an_old_version_is_found() throws Exception {
        run.bug = new PlantedBug() {
            @Override
            void pull(Port port, float[] into, WeightVersions base) throws InterruptedException {
                port.direct(into, base);
                for (int i = 0; i < base.shards(); i++) {
                    base.set(i, base.life(i), Math.max(0, base.version(i) - 1));
                }
            }
        };
        assertThat(found())
                .first()
                .isEqualTo("event 30, PULLED: w0 pulled version 1 of ps-0, but got weights other than that version's");
    }

    @Test
    void a_pull_of_weights_of_two_versions_is_found() throws Exception {
        run.bug = new PlantedBug() {
            private float old = 7;

            @Override
            void pull(Port port, float[] into, WeightVersions base) throws InterruptedException {
                port.direct(into, base);
                float newest = into[6];
                into[6] = old;
                old = newest;
            }
        };
        assertThat(found())
                .first()
                .isEqualTo("event 30, PULLED: w0 pulled version 2 of ps-1, but got weights other than that version's");
    }

    @Test
    void a_shard_that_accepts_beyond_the_bound_is_found() throws Exception {
        run.rule = UpdateRule.of(ObservedRun.OPTIMIZER, Consistency.staleness(9).withGradsToWait(1));
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 21, STALENESS: ps-0 accepted push 2 of w2, based on version 0, at version 2: 2 updates lie between, and the bound is 1");
    }

    @Test
    void round_with_too_many_gradients_is_found() throws Exception {
        run.rule = UpdateRule.of(ObservedRun.OPTIMIZER, Consistency.staleness(1).withGradsToWait(3));
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 17, ROUNDS: ps-0 took push 2 of w2 into a round that has 3 gradients with it, and at most 2 make an update");
    }

    @Test
    void a_shard_that_updates_by_another_rule_is_found() throws Exception {
        run.rule = UpdateRule.of(Optimizer.sgd(0.125f, 0.5f, true), ObservedRun.CLAIMED);
        assertThat(found())
                .containsExactly(
                        "event 14, REPLAYED: ps-1 made version 1 with other weights than its gradients give",
                        "event 16, REPLAYED: ps-0 made version 1 with other weights than its gradients give");
    }

    @Test
    void shard_forgetting_applied_pushes_after_restore_is_found() throws Exception {
        run.disk = (older, saved) ->
                ObservedRun.altered(saved, saved.version(), new AppliedPushes(ObservedRun.PUSHES), saved.weights());
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 109, RESTORED: ps-1 in its life 1 began at version 4 with fewer pushes than the state of event 55: 0..7 missing");
    }

    @Test
    void shard_restored_older_than_reported_is_found() throws Exception {
        run.disk = (older, saved) -> ObservedRun.altered(older, saved.version(), older.applied(), older.weights());
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 109, RESTORED: ps-1 in its life 1 began at version 4 with fewer pushes than the state of event 55: 4..7 missing");
    }

    @Test
    void shard_restored_with_other_weights_is_found() throws Exception {
        run.disk = (older, saved) ->
                ObservedRun.altered(saved, saved.version(), saved.applied(), ObservedRun.zeros(saved.weights()));
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 109, RESTORED: ps-1 in its life 1 began at version 4 with other weights or optimizer slots than the state of event 55");
    }

    @Test
    void shard_accepting_a_gradient_of_lost_weights_is_found() throws Exception {
        run.bug = new PlantedBug() {
            @Override
            PushResult push(Port port, long pushId, WeightVersions base, float[] gradient) throws InterruptedException {
                ParameterShard shard = port.shard(1);
                if (base.life(1).equals(shard.life())) {
                    return port.direct(pushId, base, gradient);
                }
                while (shard.version() < 8) {
                    shard.push("late", 100 + shard.version(), shard.version(), gradient);
                    shard.flush();
                }
                return port.direct(pushId, with(base, 1, shard.life(), 8), gradient);
            }
        };
        HistoryReport report = run.check();
        assertThat(report.violations())
                .filteredOn(v -> v.rule() == HistoryRule.LINEAGE)
                .first()
                .hasToString(
                        "event 120, LINEAGE: ps-1 in its life 1 accepted push 16 of w0, which was computed from a version 8 that was lost: this life's has other weights");
    }

    @Test
    void a_training_that_ends_too_early_is_found() throws Exception {
        run.end = 20;
        run.completes = 20;
        assertThat(found())
                .containsExactly(
                        "event 210, COMPLETE: the training ended with version 10 of ps-0, which has not applied 4 of 24 pushes: 20..23",
                        "event 210, COMPLETE: the training ended with version 14 of ps-1, which has not applied 4 of 24 pushes: 20..23");
    }

    @Test
    void a_task_that_counts_as_done_unasked_is_found() throws Exception {
        run.completes = 26;
        assertThat(found())
                .first()
                .isEqualTo(
                        "event 231, TASKS: the task of pushes 0 to 25 was counted as done, but push 24 was not confirmed");
    }
}
