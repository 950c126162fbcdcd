package dev.edl.runtime.program;

import dev.edl.runtime.engine.ReplicaContext;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.engine.ports.AcquireRetry;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.ps.ModelSnapshot;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.bytes.ShardSerializer;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.DaemonTimerService;
import dev.edl.runtime.wire.control.BulkResultCodec;
import dev.edl.runtime.wire.control.CallerConfig;
import dev.edl.runtime.wire.control.Hello;
import dev.edl.runtime.wire.control.MasterEndpoint;
import dev.edl.runtime.wire.control.MasterEndpointConfig;
import dev.edl.runtime.wire.control.ShardConnectionListener;
import dev.edl.runtime.wire.control.WorkerDisconnectListener;
import dev.edl.runtime.wire.frames.RemoteShards;
import dev.edl.runtime.wire.frames.ServedShard;
import dev.edl.runtime.wire.frames.ShardClientConfig;
import dev.edl.runtime.wire.frames.ShardServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Factory for the connections of one process of a training to the other processes; has the process' token, buffers,
 * clock and random numbers.
 */
final class ReplicaConnections implements AutoCloseable {
    private final ReplicaEnvironment environment;
    private final ReplicaSettings settings;
    private final String name;
    private final AcquireRetry retry;
    private final SecureRandom random = new SecureRandom();
    private final Handshake handshake;
    private final DaemonTimerService timers;
    private final ShardContents contents;
    private final Bytes bytes;

    ReplicaConnections(ReplicaEnvironment environment, ReplicaSettings settings, ReplicaContext context) {
        this(environment, settings, context.name(), retry(settings.absenceTimeout(), context));
    }

    /**
     * Creates the factory.
     *
     * @param retry waits for the replica's port while another program uses it
     */
    ReplicaConnections(ReplicaEnvironment environment, ReplicaSettings settings, String name, AcquireRetry retry) {
        this.environment = environment;
        this.settings = settings;
        this.name = name;
        this.retry = retry;
        this.handshake = new Handshake(environment.token(), random, environment.security());
        this.timers = new DaemonTimerService(name + "-timers", System::nanoTime);
        this.contents = ShardContents.of(settings.model(), settings.seed());
        this.bytes = new Bytes(contents, settings.shards());
    }

    /** Returns the retries by which a replica takes locks and ports that an ended process may still hold. */
    static AcquireRetry retry(Duration bound, ReplicaContext context) {
        return new AcquireRetry(
                bound, System::nanoTime, time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()), context::check);
    }

    /** Returns the configuration by which a worker or a server reaches the master. */
    CallerConfig caller(Hello hello) {
        return new CallerConfig(
                () -> ReplicaEnvironment.resolved(environment.master()),
                hello,
                environment.run(),
                handshake,
                bytes,
                timers,
                random::nextDouble,
                settings.absenceTimeout(),
                settings.connections());
    }

    /**
     * Listens as the master.
     *
     * @throws TryAgainException if another program uses the port for longer than the training's absenceTimeout
     */
    MasterEndpoint listen(
            Function<Hello, Optional<String>> refusal, WorkerDisconnectListener workers, ShardConnectionListener shards)
            throws IOException, InterruptedException {
        MasterEndpointConfig config = new MasterEndpointConfig(
                name,
                environment.run(),
                handshake,
                refusal,
                workers,
                shards,
                bytes,
                timers,
                this::secret,
                settings.connections());
        return listening("the master", environment.master(), address -> MasterEndpoint.open(address, config));
    }

    /** Opens a listener. */
    @FunctionalInterface
    private interface Opening<T> {
        T on(InetSocketAddress address) throws IOException;
    }

    /** Listens on this machine for callers of an advertised address, once its port is free. */
    private <T> T listening(String role, InetSocketAddress advertised, Opening<T> opening)
            throws IOException, InterruptedException {
        return retry.acquire(
                "port " + advertised.getPort() + " of " + role + " " + name,
                () -> opening.on(ReplicaEnvironment.own(advertised)),
                failure -> failure instanceof BindException && ReplicaEnvironment.isBindable(advertised));
    }

    /** Returns a worker's client of all servers. */
    RemoteShards shards() {
        return RemoteShards.of(
                environment.servers(),
                new ShardClientConfig(
                        environment.run(),
                        name,
                        contents,
                        settings.model().embeddings(),
                        SharedTrainingState.SHARD_LOOK,
                        handshake,
                        timers),
                settings.connections());
    }

    /**
     * Listens as the server of a shard.
     *
     * @throws TryAgainException if another program uses the port for longer than the training's absenceTimeout
     */
    ShardServer server(int index) throws IOException, InterruptedException {
        ServedShard served = new ServedShard(
                environment.run(),
                index,
                settings.shards(),
                contents,
                settings.model().embeddings(),
                handshake);
        return listening(
                "the parameter server",
                environment.servers().get(index),
                address -> ShardServer.listen(address, served, settings.connections(), timers));
    }

    /** Sets the number of minibatches in an epoch; called in processes that read the data. */
    void minibatchesPerEpoch(int number) {
        bytes.minibatchesPerEpoch = number;
    }

    /** Returns 128 random bits as hexadecimal digits, which cannot be guessed. */
    String secret() {
        byte[] secret = new byte[16];
        random.nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    @Override
    public void close() {
        timers.close();
    }

    /**
     * Buffers for the training's states and models. A server knows the number of minibatches only from its assignment.
     */
    private static final class Bytes implements BulkResultCodec {
        private static final Set<Class<?>> TYPES =
                Set.of(ShardSnapshot.class, ShardPushes.class, PinnedShard.class, ModelSnapshot.class);

        private final ShardContents contents;
        private final int shards;
        private volatile int minibatchesPerEpoch = 1;

        private Bytes(ShardContents contents, int shards) {
            this.contents = contents;
            this.shards = shards;
        }

        private ShardSerializer bytes() {
            return new ShardSerializer(contents, shards, minibatchesPerEpoch);
        }

        @Override
        public boolean contains(Class<?> type) {
            return TYPES.contains(type);
        }

        @Override
        public void write(Object value, OutputStream to) throws IOException {
            if (value instanceof ShardSnapshot shard) {
                bytes().write(shard, to);
            } else if (value instanceof ShardPushes pushes) {
                bytes().write(pushes, to);
            } else if (value instanceof PinnedShard shard) {
                bytes().write(shard, to);
            } else {
                bytes().write((ModelSnapshot) value, to);
            }
        }

        @Override
        public <T> T read(Class<T> type, InputStream from) throws IOException {
            Object value;
            if (type == ShardSnapshot.class) {
                value = bytes().readShard(from);
            } else if (type == ShardPushes.class) {
                value = bytes().readPushes(from);
            } else if (type == PinnedShard.class) {
                value = bytes().readPinned(from);
            } else {
                value = bytes().readModel(from);
            }
            return type.cast(value);
        }
    }
}
