package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.JobStatus;
import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.TrainingBuilder;
import dev.edl.runtime.TrainingCallback;
import dev.edl.runtime.TrainingControl;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.status.JobPhase;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import dev.edl.testkit.history.HistoryReport;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random faults at random steps, on real threads. Workers, parameter servers and the master are killed or deleted, and
 * the workers are scaled. Every record must be applied exactly once per epoch on every shard.
 */
class ChaosTest {
    @TempDir
    Path folder;

    /** Seeds 1 to 20; {@code -Dedl.chaos.seeds=500} for more. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("edl.chaos.seeds", 20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatever_happens_each_record_is_applied_exactly_once(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Consistency consistency = List.of(
                        Consistency.asynchronous(), Consistency.synchronous(), Consistency.staleness(2))
                .get(random.nextInt(3));
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        TrainingBuilder training = Fixture.training(model)
                .epochs(12)
                .seed(seed)
                .consistency(consistency)
                .evaluationSteps(50)
                .history(folder.resolve("run.history"), HistoryDetail.GRADIENTS);
        if (random.nextBoolean()) {
            training.checkpointDirectory(folder.resolve("checkpoints")).checkpointSteps(40);
        }
        int maxSteps = random.nextInt(3) == 0 ? 1 + random.nextInt(700) : 0;
        long stopAt = random.nextInt(3) == 0 ? 30 + random.nextInt(300) : Long.MAX_VALUE;
        training.maxSteps(maxSteps).callback(new TrainingCallback() {
            @Override
            public long everySteps() {
                return 10;
            }

            @Override
            public void onStep(long version, TrainingControl control) {
                if (version > stopAt) {
                    control.stop("chance");
                }
            }
        });
        TreeMap<Long, String> faults = new TreeMap<>();
        for (int i = 0; i < 6; i++) {
            String victim = List.of("worker", "worker", "scale", "ps-0", "ps-1", "master")
                    .get(random.nextInt(6));
            faults.put(
                    10L + random.nextInt(400),
                    victim + " " + random.nextInt(8) + " " + (random.nextBoolean() ? "kill" : "delete"));
        }
        String what = "seed " + seed + ", " + consistency + ", maxSteps " + maxSteps + ", stop at " + stopAt
                + ", faults " + faults;

        try (InProcessExecutor executor = InProcessExecutor.of(training.build());
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            model.before(step -> {
                String fault = faults.get(step);
                if (fault != null) {
                    strike(run, fault);
                }
            });
            JobStatus end = run.await(Fixture.LIMIT);

            assertThat(end.phase()).as(what + ": " + end.message()).isEqualTo(JobPhase.SUCCEEDED);
            TrainingResult result = run.result().orElseThrow();
            assertThat(result.exactlyOnce()).as(what + ": " + result.proof()).isTrue();
            int due = maxSteps == 0 ? 12 * 52 : Math.min(12 * 52, maxSteps);
            if (result.stopped().isEmpty()) {
                assertThat(result.pushesExpected()).as(what).isEqualTo(due);
            } else {
                assertThat(stopAt).as(what).isLessThan(Long.MAX_VALUE);
                assertThat(result.pushesExpected()).as(what).isLessThanOrEqualTo(due);
            }
            assertThat(result.ledgerProof().minibatches()).as(what).isEqualTo(result.pushesExpected());
            assertThat(result.metrics()).as(what).containsKey("accuracy");
        }
        HistoryReport report = HistoryChecker.check(History.read(folder.resolve("run.history")));
        assertThat(report.holds()).as(what + ": " + report).isTrue();
        assertThat(report.complete()).as(what + ": " + report).isTrue();
        assertThat(report.replayed()).as(what + ": " + report).isEqualTo(report.updates());
    }

    private static void strike(TrainingRun run, String fault) {
        String[] words = fault.split(" ");
        try {
            if (words[0].equals("scale")) {
                run.scale("worker", 1 + Integer.parseInt(words[1]));
                return;
            }
            String victim = words[0];
            if (victim.equals("worker")) {
                List<String> workers = run.status().replicas().stream()
                        .map(r -> r.name())
                        .filter(n -> n.contains("worker"))
                        .toList();
                victim = workers.get(Integer.parseInt(words[1]) % workers.size());
            }
            if (words[2].equals("kill")) {
                run.kill(victim);
            } else {
                run.delete(victim);
            }
        } catch (IllegalArgumentException | IllegalStateException gone) {
            // The victim ended by itself, or the job has ended: no fault this time.
            return;
        }
    }
}
