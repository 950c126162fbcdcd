package dev.edl.runtime.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.env.ElasticDlEnv;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.files.Retries;
import dev.edl.runtime.engine.ports.AcquireRetry;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LoggedWarnings;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.internal.files.OpenFile;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.control.MasterEndpoint;
import dev.edl.runtime.wire.control.ShardConnectionListener;
import dev.edl.runtime.wire.control.WorkerDisconnectListener;
import dev.edl.runtime.wire.frames.ShardServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another program has the port of a replica that starts to listen. */
class ReplicaConnectionsTest {
    @TempDir
    Path folder;

    private final List<Duration> waits = new ArrayList<>();
    private ServerSocket other;

    @BeforeEach
    void listen() throws IOException {
        other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        other.close();
    }

    private Map<String, String> environment(String role) throws IOException {
        Path token = folder.resolve("token");
        JobToken.create(new SecureRandom()).write(token);
        String address = "127.0.0.1:" + other.getLocalPort();
        return Map.of(
                "JOB_NAME",
                "unit",
                "EDL_RUN_ID",
                "run-1",
                "EDL_ROLE",
                role,
                "EDL_INDEX",
                "0",
                "MASTER_ADDR",
                address,
                "PS_ADDRS",
                address,
                "EDL_TOKEN_FILE",
                token.toString());
    }

    private ReplicaConnections connections(String role, AcquireRetry retry) throws IOException {
        Map<String, String> environment = environment(role);
        Training training =
                Fixture.training(new LogisticModel(Fixture.FEATURES)).build();
        ReplicaEnvironment replica = new ReplicaEnvironment(ElasticDlEnv.parse(environment), environment);
        return new ReplicaConnections(
                replica,
                ReplicaSettings.of(training, replica),
                replica.context().name(),
                retry);
    }

    private static MasterEndpoint master(ReplicaConnections connections) throws Exception {
        return connections.listen(hello -> Optional.empty(), new NoWorkers(), new NoShards());
    }

    private static final class NoWorkers implements WorkerDisconnectListener {
        @Override
        public void left(String worker) {}

        @Override
        public void gone(String worker) {}
    }

    private static final class NoShards implements ShardConnectionListener {
        @Override
        public void attached(int index, ShardPort shard) {}

        @Override
        public void detached(int index, ShardPort shard) {}
    }

    /** Returns retries that record each wait, before an action. */
    private AcquireRetry after(Duration longest, Consumer<Duration> action) {
        return Retries.of(longest, waited -> {
            waits.add(waited);
            action.accept(waited);
        });
    }

    /** Closes the other program's socket at the second try. */
    private void free(Duration waited) {
        if (!waited.isZero()) {
            try {
                other.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void a_server_listens_once_its_port_is_free() throws Exception {
        try (ReplicaConnections connections = connections("ps", after(Duration.ofMinutes(1), this::free));
                ShardServer server = connections.server(0)) {
            assertThat(server.address().getPort()).isEqualTo(other.getLocalPort());
            assertThat(waits).containsExactly(Duration.ZERO, Duration.ofMillis(50));
        }
    }

    @Test
    void a_master_listens_once_its_port_is_free() throws Exception {
        try (ReplicaConnections connections = connections("master", after(Duration.ofMinutes(1), this::free));
                MasterEndpoint listener = master(connections)) {
            assertThat(listener.port()).isEqualTo(other.getLocalPort());
            assertThat(waits).containsExactly(Duration.ZERO, Duration.ofMillis(50));
        }
    }

    @Test
    void a_port_that_stays_used_makes_the_replica_try_again() throws Exception {
        try (ReplicaConnections server = connections("ps", after(Duration.ofSeconds(20), waited -> {}));
                ReplicaConnections master = connections("master", after(Duration.ofSeconds(5), waited -> {}));
                LoggedWarnings log = new LoggedWarnings(AcquireRetry.class)) {
            assertThatThrownBy(() -> server.server(0))
                    .isInstanceOf(TryAgainException.class)
                    .hasMessageStartingWith("port " + other.getLocalPort()
                            + " of the parameter server elasticdl-unit-ps-0 is still held by another process after 20s,"
                            + " the training's absenceTimeout: ")
                    .hasCauseInstanceOf(BindException.class);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("waiting for port " + other.getLocalPort()
                            + " of the parameter server elasticdl-unit-ps-0, which another process holds; after 20s,"
                            + " the training's absenceTimeout, this process ends to be restarted: ");

            assertThatThrownBy(() -> master(master))
                    .isInstanceOf(TryAgainException.class)
                    .hasMessageStartingWith("port " + other.getLocalPort()
                            + " of the master elasticdl-unit-master is still held by another process after 5s,");
            assertThat(log.lines()).as("no warning before 10s").hasSize(1);
        }
    }

    @Test
    void a_stopped_replica_waits_no_longer_for_its_port() throws Exception {
        ReplicaContext context = new ReplicaContext("ps", 0);
        context.stop();
        try (ReplicaConnections connections =
                connections("ps", after(Duration.ofMinutes(1), waited -> context.check()))) {
            assertThatThrownBy(() -> connections.server(0)).isInstanceOf(ReplicaStoppedException.class);
        }
    }

    @Test
    void a_process_whose_port_or_lock_stays_in_use_exits_with_75() throws Exception {
        Training training = Fixture.training(new LogisticModel(Fixture.FEATURES))
                .checkpointDirectory(folder)
                .absenceTimeout(Duration.ofMillis(1))
                .build();

        assertThat(TrainingProgram.run(environment("ps"), () -> training)).isEqualTo(75);
        assertThat(TrainingProgram.run(environment("master"), () -> training)).isEqualTo(75);
        other.close();
        try (OpenFile held =
                OpenFile.hold(folder.resolve("run.lock"), StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            assertThat(TrainingProgram.run(environment("master"), () -> training))
                    .as("while %s is held", held)
                    .isEqualTo(75);
        }
    }
}
