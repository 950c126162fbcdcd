package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.plan.PlanException;
import dev.edl.spec.SecretRef;
import dev.edl.status.JobPhase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSecretsTest {
    private static final Map<String, SecretRef> REFERENCES = Map.of("TOKEN", new SecretRef("hub", "token"));

    @TempDir
    Path folder;

    private void write(byte[] value) throws IOException {
        Files.createDirectories(folder.resolve("hub"));
        Files.write(folder.resolve("hub/token"), value);
    }

    private static List<String> problems(LocalSecrets secrets) {
        List<String> problems = new ArrayList<>();
        secrets.check("worker", REFERENCES, problems);
        return problems;
    }

    @Test
    void the_file_counts_before_the_variable_and_is_taken_whole() throws IOException {
        write("a\n".getBytes(StandardCharsets.UTF_8));
        LocalSecrets secrets = new LocalSecrets(folder, Map.of("TOKEN", "b"));

        assertThat(problems(secrets)).isEmpty();
        assertThat(secrets.values(REFERENCES)).containsExactly(Map.entry("TOKEN", "a\n"));
    }

    @Test
    void without_a_file_the_variable_of_this_jvm_counts() {
        assertThat(new LocalSecrets(folder, Map.of("TOKEN", "b")).values(REFERENCES))
                .containsExactly(Map.entry("TOKEN", "b"));
        assertThat(new LocalSecrets(null, Map.of("TOKEN", "b")).values(REFERENCES))
                .containsExactly(Map.entry("TOKEN", "b"));
    }

    @Test
    void a_reference_that_nothing_resolves_is_a_problem_with_both_ways_out() {
        assertThat(problems(new LocalSecrets(null, Map.of())))
                .containsExactly(
                        "worker.secretEnv.TOKEN refers to key token of Secret hub, and this machine has no Secrets; set"
                                + " the variable TOKEN of this JVM, or write the value to a file DIR/hub/token and build the"
                                + " executor with .secretsIn(Path.of(\"DIR\"))");
    }

    @Test
    void a_file_that_is_not_utf_8_is_a_problem() throws IOException {
        write(new byte[] {(byte) 0xff, 's', 'e', 'c'});

        assertThat(problems(new LocalSecrets(folder, Map.of())))
                .containsExactly("worker.secretEnv.TOKEN: " + folder.resolve("hub/token")
                        + " cannot be read as UTF-8 text: it holds other bytes");
    }

    @Test
    void an_invalid_value_is_a_problem_without_the_value() throws IOException {
        write("s3cr3t\0".getBytes(StandardCharsets.UTF_8));
        LocalSecrets secrets = new LocalSecrets(folder, Map.of());
        String problem = folder.resolve("hub/token") + " holds a NUL character, which no variable can have";

        assertThat(problems(secrets)).containsExactly("worker.secretEnv.TOKEN: " + problem);
        assertThatThrownBy(() -> secrets.values(REFERENCES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("secretEnv.TOKEN: " + problem);
    }

    @Test
    void a_process_gets_the_value() throws Exception {
        write("s3cr3t".getBytes(StandardCharsets.UTF_8));
        Job job = Job.named("secretive")
                .tensorflow()
                .workers(1)
                .command("sh", "-c", "[ \"$TOKEN\" = s3cr3t ]")
                .secretEnv("TOKEN", "hub", "token")
                .build();

        try (LocalExecutor local = LocalExecutor.builder().secretsIn(folder).build()) {
            JobStatus end = local.submit(job).await(Duration.ofMinutes(1));
            assertThat(end.phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
        try (LocalExecutor local = LocalExecutor.builder().build()) {
            assertThatThrownBy(() -> local.submit(job))
                    .isInstanceOf(PlanException.class)
                    .hasMessageStartingWith(
                            "job \"secretive\" cannot run as local processes: worker.secretEnv.TOKEN refers"
                                    + " to key token of Secret hub");
        }
    }
}
