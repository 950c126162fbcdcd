package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.runtime.internal.check.SlowCallLog;
import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Submit with a model whose check takes as long as the test wants. */
class SlowModelTest {
    private final CountDownLatch trying = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicBoolean first = new AtomicBoolean(true);

    private final Model slow = new LogisticModel(Fixture.FEATURES) {
        @Override
        public float gradient(float[] parameters, Batch batch, float[] gradient) {
            if (first.getAndSet(false)) {
                trying.countDown();
                Waits.on(goOn);
            }
            return super.gradient(parameters, batch, gradient);
        }
    };

    private static Job named(String name) {
        return Job.builder().name(name).elasticdl().master().ps(1).workers(1).build();
    }

    @Test
    void other_calls_of_the_executor_return_while_a_model_is_tried() throws Exception {
        try (InProcessExecutor executor =
                InProcessExecutor.of(Fixture.training(slow).build())) {
            CompletableFuture<TrainingRun> submitted =
                    CompletableFuture.supplyAsync(() -> executor.submit(named("a")), Waits.THREADS);
            Waits.on(trying);

            assertThat(executor.jobs()).isEmpty();
            assertThatThrownBy(() -> executor.submit(named("a")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("job \"a\" is running here already; cancel it, or give the new one another name");
            try (TrainingRun other = executor.submit(named("b"))) {
                assertThat(other.await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
            }

            goOn.countDown();
            assertThat(submitted.join().await(Fixture.LIMIT).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
    }

    @Test
    void an_executor_that_is_closed_meanwhile_starts_nothing() {
        InProcessExecutor executor = InProcessExecutor.of(Fixture.training(slow).build());
        CompletableFuture<TrainingRun> submitted =
                CompletableFuture.supplyAsync(() -> executor.submit(named("a")), Waits.THREADS);
        Waits.on(trying);
        executor.close();
        goOn.countDown();

        assertThatThrownBy(submitted::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the executor is closed; job \"a\" needs a new one");
        assertThat(executor.jobs()).isEmpty();
    }

    @Test
    void a_slow_step_is_logged() {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch logged = new CountDownLatch(1);
        Logger log = Logger.getLogger(SlowCallLog.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                told.add(entry.getMessage());
                logged.countDown();
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try (SlowCallLog step = new SlowCallLog("the submit waits for the model", Duration.ZERO)) {
            Waits.on(logged);
        } finally {
            log.removeHandler(handler);
        }

        assertThat(told).containsExactly("the submit waits for the model");
    }
}
