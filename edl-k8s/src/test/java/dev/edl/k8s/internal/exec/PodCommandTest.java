package dev.edl.k8s.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.exec.PodResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PodCommandTest {
    @Test
    void a_command_without_a_program_or_without_time_is_refused() {
        assertThatThrownBy(PodCommand::of)
                .hasMessage("a command must name a program, was []; for example PodCommand.of(\"ls\", \"/tmp\")");
        PodCommand command = PodCommand.of("ls");
        assertThatThrownBy(() -> command.limit(Duration.ZERO))
                .hasMessage(
                        "the limit of a command must be more than zero, was PT0S; for example Duration.ofSeconds(30)");
        assertThatThrownBy(() -> command.keep(-1))
                .hasMessage("the kept bytes of an output must be at least 0, was -1; for example 65536");
        assertThatThrownBy(() -> command.input("x".repeat(3_000_000)))
                .hasMessage("the input of a command must be at most 2796202 characters, was 3000000; pass more by a"
                        + " volume");
    }

    @Test
    void the_beginning_of_an_output_is_kept_and_the_rest_counted() {
        BoundedOutput kept = new BoundedOutput(5);
        kept.write("abc".getBytes(StandardCharsets.UTF_8), 0, 3);
        kept.write("defgh".getBytes(StandardCharsets.UTF_8), 0, 5);
        kept.write('i');

        assertThat(kept.text()).isEqualTo("abcde");
        assertThat(kept.dropped()).isEqualTo(4);
    }

    @Test
    void the_text_of_a_result_has_code_and_error() {
        assertThat(new PodResult(0, "out", "warning", 0)).hasToString("exit code 0");
        assertThat(new PodResult(2, "", "no such file\n", 0)).hasToString("exit code 2: no such file");
        assertThat(new PodResult(0, "", "", 7)).hasToString("exit code 0 (7 bytes of output were dropped)");
    }
}
