package dev.edl.testkit.junit5;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.edl.Job;
import dev.edl.testkit.EdlSoftAssertions;
import dev.edl.testkit.Golden;
import java.nio.file.Path;
import org.assertj.core.api.junit.jupiter.SoftAssertionsExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test class as a user writes it; {@link JUnit5Test} runs it, and its name hides it from the build. */
class SmallCase {
    private final Job job = Job.named("small").master().workers(4).build();

    @Test
    void an_assertion_holds() {
        assertThat(job).hasRoles("master", "worker").role("worker").hasReplicas(4);
        assertThat(job.plan()).replica("worker", 2).hasEnv("WORKER_ID", "2");
    }

    @Test
    void an_assertion_fails() {
        assertThat(job).role("worker").hasReplicas(5);
    }

    @Test
    void a_file_is_found_by_the_test() {
        if (!Golden.ofTest()
                .toString()
                .equals("src/test/resources/dev/edl/testkit/junit5/SmallCase.a_file_is_found_by_the_test.yaml")) {
            throw new AssertionError(Golden.ofTest().toString());
        }
    }

    @Test
    @ExtendWith(SoftAssertionsExtension.class)
    void soft_assertions_fail(EdlSoftAssertions softly) {
        softly.assertThat(job).hasName("large").role("worker").hasReplicas(6);
    }

    @ParameterizedTest
    @ValueSource(ints = 4)
    void a_file_is_found_by_a_test_with_parameters(int workers, @TempDir Path directory) {
        assertThat(job).role("worker").hasReplicas(workers);
        String message = assertThrows(
                        AssertionError.class,
                        () -> Golden.at(directory.resolve("none")).check("plan", ""))
                .getMessage();
        if (!message.contains("-Dtest=SmallCase#a_file_is_found_by_a_test_with_parameters ")) {
            throw new AssertionError(message);
        }
    }
}
