package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.EvaluationResult;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.PredictionResult;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.inprocess.PassExecutor;
import dev.edl.runtime.inprocess.PassRun;
import dev.edl.runtime.proof.TaskType;
import dev.edl.status.JobPhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Evaluations, predictions and trainings with a trained model as processes of this machine. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessPassTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    private final List<LogLine> lines = new CopyOnWriteArrayList<>();
    private final List<TrainingEvent> told = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        Files.createFile(folder.resolve(Doom.GO));
    }

    private String log() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private TrainingSummary run(String tls, String what, int workers, String... dooms) throws Exception {
        List<String> words = new ArrayList<>(List.of(what));
        words.addAll(List.of(dooms));
        JobBuilder job = PlaneProgram.brief(ProgramJobs.here(PassProgram.class, words.toArray(String[]::new)))
                .name("unit")
                .env(Doom.FOLDER, folder.toString())
                .env("EDL_TLS", tls);
        if (what.endsWith("trained.npz")) {
            job.ps(2);
        }
        try (ProcessExecutor executor = ProcessExecutor.create(lines::add);
                ProcessRun run = executor.submit(job.workers(workers).build())) {
            run.onTraining(told::add);
            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).as(end.message() + "\n" + log()).isEqualTo(JobPhase.SUCCEEDED);
            assertThat(dooms)
                    .as(log())
                    .allSatisfy(word -> assertThat(Doom.done(folder, word)).exists());
            return run.result().orElseThrow();
        }
    }

    private static Job alone() {
        return Job.builder().name("unit").elasticdl().master().workers(2).build();
    }

    /** The master dies after some tasks, and its successor just before it exits. */
    @Test
    void an_evaluation_has_the_metrics_of_one_jvm_whatever_is_killed() throws Exception {
        TrainingSummary summary = run("off", PassProgram.EVALUATE, 2, "master/progress/4", "master/exit/0");

        EvaluationResult expected;
        Evaluation evaluation = PassProgram.evaluation(new LogisticModel(Fixture.FEATURES));
        try (PassExecutor<EvaluationResult> executor = InProcessExecutor.of(evaluation);
                PassRun<EvaluationResult> run = executor.submit(alone())) {
            expected = run.awaitResult(LIMIT);
        }
        assertThat(summary.work()).isEqualTo(TaskType.EVALUATION);
        assertThat(summary.metrics()).isEqualTo(expected.metrics()).isNotEmpty();
        assertThat(summary.steps()).isEqualTo(PassProgram.VERSION);
        assertThat(summary.records()).isEqualTo(200);
        assertThat(summary.exactlyOnce()).as(summary.proof()).isTrue();
        assertThat(summary.proof()).startsWith("each of 200 records evaluated exactly once");
        assertThat(summary.toString()).contains("Evaluated 200 records in ", ", version 120");
        assertThat(told).contains(new TrainingEvent.Evaluation(PassProgram.VERSION, expected.metrics()));
    }

    /** One worker at a time, so that each reaches its minibatch. */
    @Test
    void a_prediction_writes_the_file_of_one_jvm_whatever_is_killed() throws Exception {
        Path file = folder.resolve("processes.npy");
        TrainingSummary summary =
                run("token", file.toString(), 1, "worker-0/predicting/4", "worker-1/predicting/2", "master/progress/6");

        Path expected = folder.resolve("jvm.npy");
        Prediction prediction = PassProgram.prediction(new LogisticModel(Fixture.FEATURES), expected);
        try (PassExecutor<PredictionResult> executor = InProcessExecutor.of(prediction);
                PassRun<PredictionResult> run = executor.submit(alone())) {
            run.awaitResult(LIMIT);
        }
        assertThat(file).hasSameBinaryContentAs(expected);
        assertThat(folder.resolve("processes.npy.tmp")).doesNotExist();
        assertThat(summary.output()).contains(file.toString());
        assertThat(summary.exactlyOnce()).as(summary.proof()).isTrue();
        assertThat(summary.toString()).contains("Predicted 200 records in ", ", version 120, to " + file);
    }

    /** No retry can write to a folder. */
    @Test
    void a_prediction_to_a_folder_fails_by_its_first_master() throws Exception {
        Path taken = Files.createDirectory(folder.resolve("taken.npy"));
        Job job = PlaneProgram.brief(ProgramJobs.here(PassProgram.class, taken.toString()))
                .name("unit")
                .env(Doom.FOLDER, folder.toString())
                .workers(1)
                .build();
        try (ProcessExecutor executor = ProcessExecutor.create(lines::add);
                ProcessRun run = executor.submit(job)) {
            JobStatus end = run.await(LIMIT);

            assertThat(end.phase()).as(log()).isEqualTo(JobPhase.FAILED);
            assertThat(end.message()).as(log()).contains("elasticdl-unit-master failed with exit code 70");
            assertThat(log()).contains(taken + ": is a directory; predictions are written to a file");
        }
    }

    /** A server without a checkpoint begins again with the same parameters. */
    @Test
    void a_training_begins_with_the_parameters_of_a_model() throws Exception {
        Path file = folder.resolve("trained.npz");
        TrainingSummary summary = run("off", file.toString(), 2, "ps-0/update/20");

        assertThat(summary.exactlyOnce()).as(summary.proof()).isTrue();
        assertThat(TrainedModel.load(file).parameters()).containsExactly(PassProgram.WEIGHTS);
    }
}
