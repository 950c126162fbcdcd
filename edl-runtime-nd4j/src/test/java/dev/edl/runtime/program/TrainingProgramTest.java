package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class TrainingProgramTest {
    private static final Supplier<Training> NONE = () -> {
        throw new AssertionError("the environment is refused before the training is made");
    };

    private static final Map<String, String> WORKER =
            Map.of("JOB_NAME", "unit", "EDL_RUN_ID", "run", "EDL_ROLE", "worker", "EDL_INDEX", "0", "WORKER_ID", "0");

    @TempDir
    Path folder;

    /** Returns the output of a program of this class path, and its exit code as the last line. */
    private List<String> started(String... words) throws Exception {
        return started(PlaneProgram.class, words);
    }

    private List<String> started(Class<?> program, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(Arrays.asList(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("OMP_NUM_THREADS", "1");
        if (program == PassProgram.class) {
            builder.environment().put(Doom.FOLDER, folder.toString());
        }
        Process process = builder.start();
        List<String> lines = new ArrayList<>();
        process.inputReader().lines().forEach(lines::add);
        lines.add("exit code " + process.waitFor());
        return lines;
    }

    @Test
    void an_environment_that_is_no_replicas_is_refused() {
        assertThat(TrainingProgram.run(Map.of("EDL_ROLE", "worker"), NONE)).isEqualTo(64);
    }

    @Test
    void a_replica_without_a_token_is_refused() {
        assertThat(TrainingProgram.run(WORKER, NONE)).isEqualTo(64);
    }

    @Test
    @Timeout(120)
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_program_submits_itself_and_no_run_continues_another_runs_files() throws Exception {
        String checkpoints = folder.resolve("checkpoints").toString();

        List<String> first = started("asynchronous", "6", checkpoints);

        assertThat(first)
                .anyMatch(line -> line.matches("\\[elasticdl-plane-worker-\\d] Loss = \\S+, steps = \\d+"))
                .anyMatch(line -> line.matches("Evaluation metrics\\[step=300]: \\{accuracy=.*"))
                .anyMatch(line -> line.startsWith("task 96/96, epoch 6/6, "))
                .contains("each of 200 records applied exactly once in each of 6 epochs")
                .noneMatch(line -> line.contains("was stopped"))
                .endsWith("exit code 0");

        List<String> second = started("asynchronous", "6", checkpoints);

        assertThat(second)
                .anyMatch(line ->
                        line.matches("\\[master] .*checkpointDirectory holds checkpoints of an earlier run: .*"))
                .anyMatch(line -> line.matches("job plane FAILED: .*elasticdl-plane-master.*"))
                .endsWith("exit code 1");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void an_evaluation_with_a_mistake_is_refused_before_a_process_starts() throws Exception {
        assertThat(started(PassProgram.class, PassProgram.MISTAKE))
                .containsExactly(
                        "evaluation: metrics is empty; for example .metrics(Metric.accuracy())", "exit code 70");
        assertThat(started(PassProgram.class, PassProgram.MISSING))
                .containsExactly(
                        "there is no trained model at nothing.npz; a model is read from a directory of checkpoints, a"
                                + " version-N directory in it, or an .npz or .safetensors file",
                        "exit code 70");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_training_with_a_mistake_is_refused_before_a_process_starts() throws Exception {
        assertThat(started("asynchronous", "-1"))
                .containsExactly("training: epochs must be at least 1, was -1; for example .epochs(5)", "exit code 70");
    }
}
