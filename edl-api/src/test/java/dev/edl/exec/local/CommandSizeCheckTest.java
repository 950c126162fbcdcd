package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.plan.PlanException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "the limits are those of Linux")
class CommandSizeCheckTest {
    private static JobBuilder job(String... command) {
        return Job.named("big").tensorflow().workers(1).command(command);
    }

    private static void check(Job job) {
        LocalExecutorBuilder options = new LocalExecutorBuilder(HostEnvironment.of("Linux", Map.of("PATH", "/bin")));
        CommandSizeCheck.check(
                job.plan(),
                new LocalReplicaLauncher(job.plan(), options.host.supervisor(), options, "1"),
                StandardCharsets.US_ASCII);
    }

    @Test
    void an_environment_that_is_too_long_as_a_whole() {
        JobBuilder job = job("true");
        for (int i = 0; i < 70; i++) {
            job.env("A" + i, "x".repeat(100_000));
        }

        // Six MiB is the maximum, whatever the stack limit is.
        assertThatThrownBy(() -> check(job.build()))
                .isInstanceOf(PlanException.class)
                .hasMessageMatching(
                        "job \"big\" cannot run as local processes: worker: its command and environment take"
                                + " 700\\d{4} bytes together; the system allows at most \\d+; put long values into"
                                + " files and pass their paths, or inherit fewer variables");
    }

    @Test
    void a_character_that_would_arrive_as_a_question_mark() {
        assertThatThrownBy(() -> check(job("true").env("CITY", "Köln").build()))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"big\" cannot run as local processes: worker: \"CITY=Köln\" holds characters that"
                        + " US-ASCII, this JVM's charset for arguments and variables, cannot encode; start"
                        + " the JVM in a UTF-8 locale, for example with LC_ALL=C.UTF-8");
    }
}
