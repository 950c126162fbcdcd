package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.wire.auth.JobToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master of a finished run starts after all other replicas have ended; the replicas are threads. */
@Timeout(120)
class FinishedRunTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final Map<String, String> job = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private int run(String role, int index, Duration absence) {
        return run(role, index, absence, 1);
    }

    private int run(String role, int index, Duration absence, int epochs) {
        Map<String, String> environment = new HashMap<>(job);
        environment.put("EDL_ROLE", role);
        environment.put("EDL_INDEX", Integer.toString(index));
        environment.put(role.equals("worker") ? "WORKER_ID" : "UNUSED", "0");
        environment.put(SubmitterEventWriter.VARIABLE, folder.toString());
        return TrainingProgram.run(environment, () -> training(absence, epochs));
    }

    private Training training(Duration absence, int epochs) {
        return Fixture.training(new LogisticModel(Fixture.FEATURES))
                .epochs(epochs)
                .checkpointDirectory(folder.resolve("checkpoints"))
                .absenceTimeout(absence)
                .build();
    }

    private void start(String role, int index) {
        Thread thread = new Thread(() -> run(role, index, BOUND), role + "-" + index);
        threads.add(thread);
        thread.start();
    }

    /** Returns the results that the run's masters have reported. */
    private List<TrainingSummary> results() throws IOException {
        return Files.readAllLines(SubmitterEventWriter.file(folder, "run-1")).stream()
                .filter(line -> !line.isEmpty())
                .map(SummaryJson::read)
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void it_reports_the_result_again_and_needs_no_other_replica() throws Exception {
        Path token = folder.resolve("token");
        JobToken.create(new SecureRandom()).write(token);
        job.putAll(Map.of("JOB_NAME", "unit", "EDL_RUN_ID", "run-1", "EDL_TOKEN_FILE", token.toString()));
        job.put("MASTER_ADDR", "127.0.0.1:" + freePort());
        job.put("PS_ADDRS", "127.0.0.1:" + freePort() + ",127.0.0.1:" + freePort());
        start("ps", 0);
        start("ps", 1);
        start("worker", 0);
        assertThat(run("master", 0, BOUND)).isZero();
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(run("master", 0, Duration.ofSeconds(1))).isZero();

        // A changed program under the same run id is another training, which waits for servers.
        assertThat(run("master", 0, Duration.ofSeconds(1), 2)).isNotZero();

        assertThat(results()).hasSize(2);
        assertThat(results().get(1)).isEqualTo(results().get(0));
    }
}
