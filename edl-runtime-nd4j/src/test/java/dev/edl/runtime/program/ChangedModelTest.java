package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.JobBuilder;
import dev.edl.exec.JobStatus;
import dev.edl.exec.LogLine;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.status.JobPhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Trainings from a model's file that is replaced or deleted while a server restarts. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ChangedModelTest {
    @TempDir
    Path folder;

    private final List<LogLine> lines = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        Files.createFile(folder.resolve(Doom.GO));
    }

    private JobStatus run(String how, String checkpoints) throws Exception {
        Path file = folder.resolve("model.npz");
        TrainedModel.of(new LogisticModel(Fixture.FEATURES).layout(), PassProgram.WEIGHTS, 7)
                .export(file);
        JobBuilder job = PlaneProgram.brief(ProgramJobs.here(
                        ChangedModelProgram.class, how, file.toString(), checkpoints, "ps-0/update/20"))
                .name("unit")
                .env(Doom.FOLDER, folder.toString())
                .env("EDL_TLS", "off");
        try (ProcessExecutor executor = ProcessExecutor.create(lines::add);
                ProcessRun run = executor.submit(job.ps(2).workers(2).build())) {
            return run.await(Duration.ofMinutes(2));
        } finally {
            lines.forEach(System.out::println);
        }
    }

    /** Either the job fails with the reason, or it ends with the parameters it began with. */
    @Test
    void a_server_does_not_begin_again_with_a_replaced_model() throws Exception {
        JobStatus end = run("replaced", "none");

        if (end.phase() == JobPhase.SUCCEEDED) {
            assertThat(TrainedModel.load(folder.resolve("trained.npz")).parameters())
                    .containsExactly(PassProgram.WEIGHTS);
        }
    }

    /** The checkpoint has all that a server needs. */
    @Test
    void a_server_with_a_checkpoint_needs_no_model_to_begin_with() throws Exception {
        JobStatus end = run("deleted", folder.resolve("checkpoints").toString());

        assertThat(end.phase()).as(end.message()).isEqualTo(JobPhase.SUCCEEDED);
    }
}
