package dev.edl.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.JobHandle;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class JobExecutorContractTest {
    @TempDir
    Path folder;

    private static Stream<DynamicTest> tests(JobExecutorContract contract) {
        return contract.checks().stream().map(check -> DynamicTest.dynamicTest(check.name(), check::run));
    }

    private static Job job(String name, UnaryOperator<JobBuilder> with) {
        return with.apply(Job.named(name)).master().workers(2).elastic(1, 4).build();
    }

    @TestFactory
    Stream<DynamicTest> a_simulated_cluster_keeps_it() {
        return tests(JobExecutorContract.of(OnPaper::new));
    }

    @TestFactory
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "there are no such processes")
    Stream<DynamicTest> processes_of_this_machine_keep_it() {
        return tests(JobExecutorContract.of(() -> new Processes(Files.createTempDirectory(folder, "place"))));
    }

    @Test
    void an_executor_that_does_not_keep_it_fails() {
        JobExecutorContract contract =
                JobExecutorContract.of(() -> new OnPaper("cpu=0.5")).within(Duration.ofMillis(50));

        assertThatThrownBy(() -> contract.checks().get(0).run())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "not within PT0.05S: the leader and 2 workers run; the job is\njob contract PENDING");
    }

    /** Simulated cluster, with or without room for the job. */
    private static final class OnPaper implements JobExecutorContract.Environment {
        private final SimulatedCluster cluster;

        OnPaper() {
            this("cpu=8");
        }

        OnPaper(String room) {
            cluster = SimulatedCluster.ofNodes(1, room);
        }

        @Override
        public JobExecutor executor() {
            return cluster;
        }

        @Override
        public Job job(String name) {
            return JobExecutorContractTest.job(name, all -> all.image("a:1").request("cpu=1"));
        }

        @Override
        public void exit(JobHandle job, String replica, int code) {
            ((SimulatedJob) job).exit(replica, code);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    /** Local processes, each of which waits for a file with its exit code. */
    private static final class Processes implements JobExecutorContract.Environment {
        private final LocalExecutor executor = LocalExecutor.builder()
                .logsTo(line -> {})
                .grace(Duration.ofSeconds(5))
                .build();
        private final Path folder;

        Processes(Path folder) {
            this.folder = folder;
        }

        @Override
        public JobExecutor executor() {
            return executor;
        }

        @Override
        public Job job(String name) {
            String file = folder + "/$EDL_ROLE-${WORKER_ID:-0}";
            return JobExecutorContractTest.job(
                    name,
                    all -> all.command(
                            "sh", "-c", "while [ ! -e " + file + " ]; do sleep 0.05; done; exit $(cat " + file + ")"));
        }

        @Override
        public void exit(JobHandle job, String replica, int code) throws IOException {
            // Writes the code before the file appears under its final name.
            Path written = Files.writeString(folder.resolve("code"), Integer.toString(code));
            Files.move(written, folder.resolve(replica.contains("-") ? replica : replica + "-0"));
        }

        @Override
        public void close() {
            executor.close();
        }
    }
}
