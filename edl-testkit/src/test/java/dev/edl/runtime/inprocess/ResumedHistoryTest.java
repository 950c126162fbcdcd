package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.HistoryDetail;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.testkit.history.History;
import dev.edl.testkit.history.HistoryChecker;
import dev.edl.testkit.history.HistoryReport;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumedHistoryTest {
    @TempDir
    Path folder;

    @Test
    void several_workers_in_rounds_are_resumed_exactly_once_too() throws Exception {
        ResumeTest.cancelAt(folder, 77, 3, Consistency.synchronous());
        Training rest = ResumeTest.training(folder, new LogisticModel(Fixture.FEATURES))
                .consistency(Consistency.synchronous())
                .resumeFrom(folder)
                .history(folder.resolve("run.history"), HistoryDetail.GRADIENTS)
                .build();
        try (InProcessExecutor executor = InProcessExecutor.of(rest);
                TrainingRun run = executor.submit(Fixture.job(2, 3))) {
            run.await(Fixture.LIMIT);
            TrainingResult result = run.result().orElseThrow();

            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
        }
        HistoryReport report = HistoryChecker.check(History.read(folder.resolve("run.history")));
        assertThat(report.holds()).as(report.toString()).isTrue();
        assertThat(report.complete()).as(report.toString()).isTrue();
        // It starts with a state whose updates it did not record.
        assertThat(report.replayed()).isZero();
    }
}
