package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutorRunsTest {
    private static final JobPlan PLAN =
            Job.named("mnist").tensorflow().workers(1).build().plan();

    private final ExecutorRuns<Run> runs = new ExecutorRuns<>();
    private final List<String> closed = new ArrayList<>();

    private final class Run extends ForwardingJobHandle {
        private final String name;

        Run(String name) {
            super(ControlLoop.of(PLAN, new SimPlace()).manual());
            this.name = name;
        }

        @Override
        public void close() {
            closed.add(name + (Thread.holdsLock(runs) ? " under the lock" : ""));
            throw new IllegalStateException(name);
        }
    }

    private void submit(String key, String name) {
        runs.submit(() -> {
            runs.put(key, new Run(name));
            return key;
        });
    }

    @Test
    void a_replaced_run_is_closed_after_the_submit_and_its_failure_is_not_the_callers() {
        submit("mnist", "first");
        submit("mnist", "second");

        assertThat(closed).containsExactly("first");
        assertThat(runs.all()).extracting(run -> run.name).containsExactly("second");
    }

    @Test
    void all_runs_are_closed_although_the_first_fails() {
        submit("a", "first");
        submit("b", "second");

        assertThatThrownBy(() -> runs.end(Run::close)).hasMessage("first");
        assertThat(closed).containsExactly("first", "second");
    }

    @Test
    void a_closed_executor_starts_nothing() {
        runs.checkOpen("mnist", "start");
        runs.end();

        assertThatThrownBy(() -> runs.checkOpen("mnist", "start"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job \"mnist\" cannot start: the executor is closed");
    }
}
