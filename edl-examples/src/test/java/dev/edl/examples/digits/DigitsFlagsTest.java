package dev.edl.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigitsFlagsTest {
    private static final String HELP = "edl-examples/run digits --help lists the flags.";

    private static Printed run(String... args) {
        return Printed.by(TrainDigits::new, args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --workers   | 0     | --workers must be at least 1, was 0; for example --workers 4
            --workers   | -3    | --workers must be at least 1, was -3; for example --workers 4
            --ps        | 0     | --ps must be at least 1, was 0; for example --ps 2
            --epochs    | 0     | --epochs must be at least 1, was 0; for example --epochs 60
            --minibatch | 0     | --minibatch must be at least 1, was 0; for example --minibatch 16
            --evaluation-steps | -1 | --evaluation-steps must be at least 0, was -1; for example --evaluation-steps 500
            --staleness | -1    | --staleness: staleness must be at least 0, was -1; 0 is synchronous, unbounded is asynchronous
            --staleness | foo   | --staleness: staleness "foo" must be 0 (synchronous), a whole number such as 3 (stale-synchronous) or unbounded (asynchronous)
            --optimizer | foo   | --optimizer: optimizer "foo": "foo" is not a known optimizer; known are sgd, adam, adagrad
            """)
    void a_value_out_of_range_is_reported_with_its_rule(String flag, String value, String message) {
        Printed printed = run(flag, value);
        assertThat(printed.err()).containsExactly(message);
        assertThat(printed.out()).isEmpty();
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void a_seed_of_faults_needs_processes() {
        Printed printed = run("--chaos", "7");
        assertThat(printed.err())
                .containsExactly("--chaos with a seed kills processes; add --processes, or use --chaos on");
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void all_mistakes_are_reported_together() {
        assertThat(run("--workers", "0", "--epochs", "0").err())
                .containsExactly(
                        "--workers must be at least 1, was 0; for example --workers 4",
                        "--epochs must be at least 1, was 0; for example --epochs 60");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --workrs 2        | unknown flag "--workrs"; did you mean --workers?
            --wrokers 2       | unknown flag "--wrokers"; did you mean --workers?
            --epoch 2         | unknown flag "--epoch"; did you mean --epochs?
            junk              | unknown argument "junk"; known are --ps, --epochs, --evaluation-steps, --optimizer, --chaos, --processes, --workers, --minibatch, --staleness, --seed, --output, --resume, --help
            --seed x          | Invalid value for option '--seed': 'x' is not a whole number; for example --seed 42
            --chaos maybe     | Invalid value for option '--chaos': expected on, off or a seed such as 7, but was 'maybe'; for example --chaos on
            --seed            | Missing required parameter for option '--seed' (N); for example --seed 42
            --seed 1 --seed 2 | option '--seed' (N) should be specified only once; for example --seed 42
            """)
    void an_unreadable_flag_refers_to_help(String args, String message) {
        Printed printed = run(args.split(" ", -1));
        assertThat(printed.err()).containsExactly(message, HELP);
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void more_parameter_servers_than_a_plan_can_name_are_refused() {
        Printed printed = run("--ps", "5000");
        assertThat(printed.err()).hasSize(1);
        assertThat(printed.err().get(0)).startsWith("job \"test-digits\": environment variable PS_ADDRS of ");
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void an_output_that_is_a_file_is_refused(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Printed printed = run("--output", file.resolve("in").toString());
        assertThat(printed.err())
                .containsExactly("--output must be a folder that can be written, for example --output edl-out/digits,"
                        + " was \"" + file.resolve("in") + "\": " + file + " is a file");
        assertThat(printed.code()).isEqualTo(2);
    }

    @Test
    void there_is_nothing_to_resume_in_an_empty_folder(@TempDir Path folder) {
        Printed printed = run("--output", folder.toString(), "--resume");
        assertThat(printed.err())
                .containsExactly("--resume needs a checkpoint to go on from, but there is none in "
                        + folder.resolve("checkpoints") + "; run without --resume first");
        assertThat(printed.code()).isEqualTo(2);
    }
}
