package dev.edl.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Main program of the started JVM, which executes its commands. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            ChildCommandLoop.serve(Program::handle);
        }

        private static String handle(String command) throws InterruptedException {
            switch (command) {
                case "java" -> {
                    return System.getProperty("java.home");
                }
                case "chat" -> System.out.println("a library greets");
                case "exit" -> System.exit(3);
                case "hang" -> new CountDownLatch(1).await();
                default -> throw new IllegalArgumentException("there is no command \"" + command + "\"");
            }
            return "";
        }
    }

    @Test
    void a_child_answers_each_command_with_the_java_of_its_parent() throws Exception {
        try (ChildJvm child = ChildJvm.start("child", Program.class)) {
            assertThat(child.ask("java", BOUND)).isEqualTo(System.getProperty("java.home"));
        }
    }

    @Test
    void what_a_library_prints_is_no_answer() throws Exception {
        try (ChildJvm child = ChildJvm.start("child", Program.class)) {
            assertThat(child.ask("chat", BOUND)).isEmpty();
        }
    }

    @Test
    void a_child_ends_when_its_parent_closes_it() throws Exception {
        ChildJvm child = ChildJvm.start("child", Program.class);
        child.ask("java", BOUND);
        child.close();
        assertThat(child.alive()).isFalse();
    }

    @Test
    void a_failure_in_a_child_is_reported_with_its_message() throws Exception {
        try (ChildJvm child = ChildJvm.start("child", Program.class)) {
            assertThatThrownBy(() -> child.ask("sing", BOUND))
                    .isInstanceOf(IOException.class)
                    .hasMessage(child + " answered \"failed: java.lang.IllegalArgumentException: there is no command"
                            + " \"sing\"\" to \"sing\"");
        }
    }

    @Test
    void the_exit_code_of_an_early_end_is_reported() throws Exception {
        try (ChildJvm child = ChildJvm.start("child", Program.class)) {
            assertThatThrownBy(() -> child.ask("exit", BOUND))
                    .isInstanceOf(IOException.class)
                    .hasMessage(child + " ended with exit code 3 at \"exit\"; standard error says why");
        }
    }

    @Test
    void waiting_for_an_answer_ends_at_the_bound() throws Exception {
        ChildJvm child = ChildJvm.start("child", Program.class);
        try (child) {
            assertThatThrownBy(() -> child.ask("hang", Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(child + " did not answer \"hang\" within 1 ms");
            child.kill();
        }
        assertThat(child.alive()).isFalse();
    }
}
