package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobFailedException;
import dev.edl.exec.LogLine;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EdlNotebookTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final List<String> pages = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void show() {
        EdlNotebook.showOn(() -> (html, text) -> pages.add(html));
    }

    @AfterEach
    void showElsewhere() {
        EdlNotebook.showOn(() -> (html, text) -> {});
    }

    private Training training(int epochs) throws IOException {
        StringBuilder rows = new StringBuilder("a,b,class\n");
        for (int row = 0; row < 64; row++) {
            rows.append(row % 2 == 0 ? "0,1,0\n" : "1,0,1\n");
        }
        var data = CsvTable.read(Files.writeString(folder.resolve("data.csv"), rows))
                .dataset();
        return Training.builder()
                .model(Mlp.of(2, 4, 2))
                .data(data)
                .epochs(epochs)
                .seed(7)
                .build();
    }

    private static Job job() {
        return Job.builder().name("mnist").elasticdl().master().ps(1).workers(2).build();
    }

    @Test
    void a_training_of_this_jvm_is_watched_to_its_result() throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(training(4));
                TrainingRun run = executor.submit(job())) {
            TrainingResult result = EdlNotebook.watch(run, LIMIT, live -> live.awaitShare(1));

            assertThat(result.exactlyOnce()).isTrue();
            assertThat(pages.get(pages.size() - 1))
                    .contains("Job mnist SUCCEEDED", "<progress value=\"256\" max=\"256\">", "<img");
        }
    }

    @Test
    void an_interrupt_cancels_a_training_of_this_jvm() throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(training(1_000_000));
                TrainingRun run = executor.submit(job())) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> EdlNotebook.watch(run, LIMIT)).isInstanceOf(InterruptedException.class);
            assertThat(run.await(LIMIT).phase()).isEqualTo(JobPhase.CANCELLED);
            assertThatThrownBy(() -> EdlNotebook.watch(run, LIMIT)).isInstanceOf(JobFailedException.class);
        }
    }

    /** Log lines of a master in a pod; the result arrives after the end of its job. */
    @Test
    void a_training_of_pods_is_watched_by_the_log_of_its_master() throws InterruptedException {
        ScriptedRun run = new ScriptedRun();
        try (MasterLog log = MasterLog.of("mnist")) {
            run.then(() -> log.accept(line("edl-event {\"kind\":\"Progressed\",\"progress\":{\"epoch\":0,\"epochs\":1,"
                    + "\"tasksDone\":10,\"tasks\":10,\"recordsDone\":100,\"records\":100,\"step\":25,\"loss\":0.5,"
                    + "\"recordsPerSecond\":50.0,\"elapsed\":\"PT2S\"}}")));
            run.then(() -> log.accept(line("edl-event {\"kind\":\"Summary\",\"steps\":25,\"metrics\":{\"loss\":0.25},"
                    + "\"exactlyOnce\":true,\"proof\":\"each once\",\"took\":\"PT2S\",\"records\":100,"
                    + "\"recordsPerSecond\":50.0,\"reproduce\":\"seed 7\"}")));

            assertThat(EdlNotebook.watch(run, log, LIMIT).metrics()).containsEntry("loss", 0.25);
        }
        assertThat(pages.get(pages.size() - 1)).contains("Job mnist SUCCEEDED", "<progress value=\"100\" max=\"100\">");
    }

    private static LogLine line(String text) {
        return new LogLine("mnist", "master", text);
    }
}
