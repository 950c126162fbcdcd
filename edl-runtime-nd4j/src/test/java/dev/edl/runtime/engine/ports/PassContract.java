package dev.edl.runtime.engine.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.PassSpec;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.pass.PassResultCollector;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.proof.LedgerProof;
import dev.edl.runtime.proof.TaskType;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contract of a worker's client of a pass master, local or remote: eight records in two tasks. */
public abstract class PassContract {
    private static final long VERSION = 120;
    private static final Model MODEL = new LogisticModel(1);
    private static final float[] WEIGHTS = {2, -1};
    private static final Dataset DATA = ArrayDataset.of(new float[8][1], new int[8]);

    /** Master with the test hooks of its host. */
    public interface Run extends AutoCloseable {
        /** Returns a worker's client of the present master. */
        MasterPort master(String worker);

        /** Runs one iteration of the master's work. */
        void watch() throws InterruptedException;

        /** Advances the clock. */
        void pass(Duration time);

        /** Replaces the master by another one with the same ledger. */
        void replace();

        /** Returns why the pass cannot be completed, if so. */
        Optional<String> failure();

        @Override
        void close();
    }

    private @Nullable Run started;
    private final List<String> accepted = new ArrayList<>();

    /** Starts a master. */
    protected abstract Run start(Pass<?> pass) throws Exception;

    private Run begin(boolean predicts) throws Exception {
        TrainedModel trained = TrainedModel.of(MODEL.layout(), WEIGHTS, VERSION);
        Duration minutes = Duration.ofMinutes(5);
        PassSpec spec = new PassSpec(
                MODEL, DATA, () -> trained, 2, 2, minutes, minutes, ConnectionSettings.defaults(), 1, List.of());
        Run run = start(new Pass<>(
                predicts ? TaskType.PREDICTION : TaskType.EVALUATION,
                spec,
                List.of(),
                records -> {
                    throw new IllegalStateException("no worker computes here");
                },
                () -> new Noted(predicts)));
        started = run;
        return run;
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
    }

    /** Records the results that the master accepts. */
    private final class Noted implements PassResultCollector<Integer> {
        private final boolean predicts;

        private Noted(boolean predicts) {
            this.predicts = predicts;
        }

        @Override
        public void evaluated(Task task, double[][] sums) {
            if (predicts) {
                throw new IllegalStateException("no evaluation");
            }
            accepted.add(task.range() + " " + sums[0][0]);
        }

        @Override
        public void predicted(Task task, float[] outputs) {
            if (!predicts) {
                throw new IllegalStateException("no prediction");
            }
            accepted.add(task.range() + " " + outputs[0]);
        }

        @Override
        public Integer finish(long version, LedgerProof proof, Duration took) {
            return accepted.size();
        }

        @Override
        public TrainingEvent event(Integer result) {
            throw new IllegalStateException("no end here");
        }

        @Override
        public void close() {}
    }

    private static Task task(Assignment assignment) {
        assertThat(assignment).isInstanceOf(Assignment.Lease.class);
        return ((Assignment.Lease) assignment).task();
    }

    @Test
    void all_records_are_handed_out_once_and_at_the_models_version() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        Task first = task(a.next());
        Task second = task(a.prefetch(first));

        assertThat(first.type()).isEqualTo(TaskType.EVALUATION);
        assertThat(first.modelVersion()).isEqualTo(VERSION);
        assertThat(first.range()).hasToString("table-00000[0..4)");
        assertThat(second.range()).hasToString("table-00000[4..8)");
        assertThat(a.model(VERSION).weights()).containsExactly(WEIGHTS);
    }

    @Test
    void an_evaluation_takes_each_task_once() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        Task task = task(a.next());
        a.evaluated(task, new double[][] {{3}});
        a.evaluated(task, new double[][] {{4}});

        assertThat(accepted).containsExactly("table-00000[0..4) 3.0");
    }

    @Test
    void a_prediction_takes_each_task_once() throws Exception {
        Run run = begin(true);
        MasterPort a = run.master("a");
        Task task = task(a.next());
        assertThat(task.type()).isEqualTo(TaskType.PREDICTION);
        a.predicted(task, new float[] {5});
        a.predicted(task, new float[] {6});

        assertThat(accepted).containsExactly("table-00000[0..4) 5.0");
    }

    @Test
    void a_report_of_a_task_that_another_worker_holds_is_ignored() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        Task late = task(a.next());
        run.pass(Duration.ofMinutes(6));
        run.watch();
        MasterPort b = run.master("b");
        Task task = task(b.next());
        assertThat(task.range()).isEqualTo(late.range());

        a.evaluated(late, new double[][] {{3}});
        a.failed(late, new TaskFailure(FailureKind.DATA, "record 3 has no label"));
        assertThat(accepted).isEmpty();
        assertThat(run.failure()).isEmpty();
        b.evaluated(task, new double[][] {{4}});
        assertThat(accepted).containsExactly("table-00000[0..4) 4.0");
    }

    @Test
    void a_task_is_kept_by_signs_of_life() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        Task task = task(a.next());
        run.pass(Duration.ofMinutes(4));
        a.touch(task);
        run.pass(Duration.ofMinutes(4));
        run.watch();
        a.evaluated(task, new double[][] {{3}});

        assertThat(accepted).containsExactly("table-00000[0..4) 3.0");
    }

    @Test
    void a_task_result_that_cannot_be_collected_ends_the_pass() throws Exception {
        Run run = begin(true);
        MasterPort a = run.master("a");
        a.evaluated(task(a.next()), new double[][] {{3}});

        assertThat(run.failure()).hasValue("the result of table-00000[0..4) cannot be written: no evaluation");
    }

    @Test
    void data_failures_end_the_pass_but_an_absent_server_does_not() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        a.failed(task(a.next()), new TaskFailure(FailureKind.ENVIRONMENT, "ps-1 is away"));
        assertThat(run.failure()).isEmpty();
        a.failed(task(a.next()), new TaskFailure(FailureKind.UNREADABLE, "part-0 is torn"));

        assertThat(run.failure())
                .hasValueSatisfying(message -> assertThat(message).contains("part-0 is torn"));
    }

    @Test
    void a_pass_has_no_rounds_and_trains_nothing() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        Task task = task(a.next());
        a.minibatchStarted();
        a.gradientComputed();
        a.roundWaitStarted();
        a.roundWaitEnded();
        a.leave();
        a.loss(1, 1);
        a.logLoss(1, 1);

        assertThatThrownBy(() -> a.trained(task, ShardLife.UNKNOWN_LIVES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(task + " is a task of a data pass, which trains nothing");
        a.evaluated(task, new double[][] {{3}});
        assertThat(accepted).hasSize(1);
    }

    @Test
    void calls_to_a_departed_master_throw_and_its_task_is_reassigned() throws Exception {
        Run run = begin(false);
        MasterPort a = run.master("a");
        Task task = task(a.next());
        run.replace();

        LeftMaster.assertThatAllCallsSaySo(a, task, () -> a.predicted(task, new float[] {5}));
        a.leave();
        MasterPort b = run.master("a");
        assertThat(List.of(task(b.next()).range(), task(b.next()).range())).contains(task.range());
    }
}
