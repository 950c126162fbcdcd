package dev.edl.runtime.wire.control;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.bounds.DaemonTimerService;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A master's address on the loopback interface, and callers of it. */
final class Loopback implements AutoCloseable {
    static final String RUN = "run-1";
    private static final JobToken TOKEN = JobToken.create(new SecureRandom());
    static final Handshake SECRET = new Handshake(TOKEN, new SecureRandom(), ChannelSecurity.plain());
    static final String DIGEST = "model mnist\nminibatch 64";

    /** Far longer than any step of a test takes. */
    static final Duration BOUND = Duration.ofSeconds(30);
    /** Bound of the frames that a test sends or awaits. */
    static final TimeBound FRAME = new TimeBound(BOUND, "of the test");

    static final Duration KEEP_ALIVE = Duration.ofMinutes(2);
    static final Duration CLOSE = Duration.ofSeconds(20);

    /** Key of this loopback, with its encryption. */
    private final Handshake secret;

    final TimerService timers;
    final ByReference codec = new ByReference();
    final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<ShardPort> attached = new LinkedBlockingQueue<>();
    final MasterEndpoint listener;
    private final Map<String, WorkerLink> workers = new LinkedHashMap<>();
    private final Map<String, ServerLink> servers = new LinkedHashMap<>();

    Loopback() {
        this(new ManualTimers());
    }

    Loopback(TimerService timers, Handshake secret) {
        this(timers, 0, settings(), secret);
    }

    Loopback(TimerService timers) {
        this(timers, 0);
    }

    Loopback(TimerService timers, int port) {
        this(timers, port, settings());
    }

    Loopback(TimerService timers, int port, ConnectionSettings settings) {
        this(timers, port, settings, SECRET);
    }

    private Loopback(TimerService timers, int port, ConnectionSettings settings, Handshake secret) {
        this.timers = timers;
        this.secret = secret;
        AtomicInteger sessions = new AtomicInteger();
        MasterEndpointConfig config = new MasterEndpointConfig(
                "unit-master",
                RUN,
                secret,
                hello -> hello.digest().equals(DIGEST)
                        ? Optional.empty()
                        : Optional.of("\"" + hello.digest() + "\" is not \"" + DIGEST + "\""),
                new WorkerDisconnectListener() {
                    @Override
                    public void left(String worker) {
                        heard.add("left " + worker);
                    }

                    @Override
                    public void lost(String worker) {
                        heard.add("lost " + worker);
                    }

                    @Override
                    public void gone(String worker) {
                        heard.add("gone " + worker);
                    }
                },
                new ShardConnectionListener() {
                    @Override
                    public void attached(int index, ShardPort shard) {
                        heard.add("attached " + index + " " + shard.life());
                        attached.add(shard);
                    }

                    @Override
                    public void detached(int index, ShardPort shard) {
                        heard.add("detached " + index + " " + shard.life());
                    }
                },
                codec,
                timers,
                () -> "session-" + sessions.incrementAndGet(),
                settings);
        try {
            listener = MasterEndpoint.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the authentication by the same token, with TLS and a certificate of its own. */
    static Handshake tls() {
        return new Handshake(TOKEN, new SecureRandom(), ChannelSecurity.token(new SecureRandom()));
    }

    /** Returns the authentication by another token. */
    static Handshake other() {
        return new Handshake(JobToken.create(new SecureRandom()), new SecureRandom(), ChannelSecurity.plain());
    }

    static ConnectionSettings.Builder bounds() {
        return ConnectionSettings.builder()
                .answer(BOUND)
                .silence(BOUND)
                .connect(Duration.ofMinutes(1))
                .greeting(Duration.ofMinutes(1))
                .keepAlive(KEEP_ALIVE)
                .close(CLOSE);
    }

    private static ConnectionSettings settings() {
        return bounds().threads(4).build();
    }

    static Leadership lead(Term term, boolean rounds) {
        return Leadership.of(term, "master", rounds, Duration.ofSeconds(10), Duration.ofMinutes(5));
    }

    CallerConfig caller(Hello.Role role, int index, String name) {
        return caller(role, index, name, secret, DIGEST);
    }

    CallerConfig caller(Hello.Role role, int index, String name, Handshake token, String digest) {
        int port = listener.port();
        return new CallerConfig(
                () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new Hello(role, index, name, digest),
                RUN,
                token,
                codec,
                timers,
                () -> 0,
                Duration.ofMinutes(10),
                settings());
    }

    WorkerLink link(String worker) {
        return workers.computeIfAbsent(worker, name -> WorkerLink.of(caller(Hello.Role.WORKER, 0, name)));
    }

    /** Returns a worker's port to the master. */
    RemoteMaster worker(String name) {
        RemoteMaster master = link(name).reach(() -> {}).orElseThrow();
        return master;
    }

    ServerLink server(int index, Supplier<Optional<ShardPort>> shard) {
        return servers.computeIfAbsent(
                "ps-" + index, name -> ServerLink.of(caller(Hello.Role.SERVER, index, name), shard));
    }

    /** Waits until all messages of workers have taken effect. */
    void settle() {
        workers.values().forEach(link -> link.present().ifPresent(RemoteMaster::settle));
    }

    /** Ends all connections, and waits until the callers have noticed. */
    void retire() {
        List<ConnectAttempt> open = new ArrayList<>();
        workers.values().forEach(link -> link.connection().ifPresent(open::add));
        servers.values().forEach(link -> link.connection().ifPresent(open::add));
        listener.retire();
        open.forEach(Loopback::awaitEnd);
    }

    static void awaitEnd(ConnectAttempt attempt) {
        try {
            attempt.ended().get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(attempt.rpcPeer() + " has not ended", e);
        }
    }

    /** Returns the next notification of the watches. */
    String hears() throws InterruptedException {
        String next = heard.poll(BOUND.toSeconds(), TimeUnit.SECONDS);
        return next == null ? "nothing" : next;
    }

    @Override
    public void close() {
        workers.values().forEach(WorkerLink::close);
        servers.values().forEach(ServerLink::close);
        listener.close();
        if (timers instanceof DaemonTimerService daemon) {
            daemon.close();
        }
    }
}
