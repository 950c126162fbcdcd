package dev.edl.bench.remote;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.bounds.DaemonTimerService;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.frames.RemoteShards;
import dev.edl.runtime.wire.frames.ServedShard;
import dev.edl.runtime.wire.frames.ShardClientConfig;
import dev.edl.runtime.wire.frames.ShardServer;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Time of a worker's exchange with a parameter server over loopback, against raw TCP and a copy of arrays.
 *
 * <ul>
 * <li>{@code remote.exchange}: time of {@link RawTcp} with 40 MB in each direction over that of a push and a pull of 10
 * million floats, asynchronous, plain SGD, with all checks and the update. The printed conditions also contain the time
 * of two copies of the floats.
 * <li>{@code remote.call}: time of {@link RawTcp} with 36 bytes in each direction over that of the smallest request,
 * which returns the push at which a worker resumes its task. Request and response are frames without a body.
 * <li>{@code remote.exchange.tls} and {@code remote.call.tls}: cost of TLS by {@link RawTls} over that by EDL. Each cost is the
 * time with TLS less that without it.
 * </ul>
 *
 * <p>Both ends are threads of one JVM. In a turn, subject and peers make one exchange or 2,000 calls each; a round
 * takes the medians of 15 turns. It uses its own stopwatch instead of JMH, because both sides keep a connection.
 */
public final class ExchangeTime implements Measurement {
    private static final int FRAME = 36;
    private static final int TURNS = 15;
    private static final int CALLS = 2000;
    /** Turns until the compiler has finished with TLS: about 100,000 calls. */
    private static final int SMALL_WARM_UP = 50;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String RUN = "bench";

    private final Figure exchange =
            new Figure("remote.exchange", 0.8, "raw TCP's time for 40 MB there and back over a push's and a pull's");
    private final Figure call =
            new Figure("remote.call", 0.23, "raw TCP's time for 36 bytes there and back over an empty call's");

    private final Figure exchangeTls = new Figure(
            "remote.exchange.tls", 0.9, "what TLS adds to raw TCP's 40 MB over what it adds to a push and a pull");
    private final Figure callTls = new Figure(
            "remote.call.tls", 0.9, "what TLS adds to raw TCP's 36 bytes over what it adds to an empty call");

    @Override
    public List<Figure> figures() {
        return List.of(exchange, call, exchangeTls, callTls);
    }

    /** Work of one side in one turn. */
    @FunctionalInterface
    private interface Turn {
        void take() throws Exception;
    }

    private static double millis(Turn turn) throws Exception {
        long began = System.nanoTime();
        turn.take();
        return (System.nanoTime() - began) / 1e6;
    }

    /** Runs the sides in turns and returns the median time of each, in ms. */
    private static double[] medians(int turns, Turn... sides) throws Exception {
        List<List<Double>> times = new ArrayList<>();
        for (int s = 0; s < sides.length; s++) {
            times.add(new ArrayList<>());
        }
        for (int i = 0; i < turns; i++) {
            for (int s = 0; s < sides.length; s++) {
                times.get(s).add(millis(sides[s]));
            }
        }
        return times.stream().mapToDouble(RoundRatios::median).toArray();
    }

    /** Returns the difference of two times; noise may make it too small to divide by. */
    private static double added(double with, double without) {
        return Math.max(1e-6, with - without);
    }

    private static void repeat(int times, Turn turn) throws Exception {
        for (int i = 0; i < times; i++) {
            turn.take();
        }
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws Exception {
        int floats = settings.either(10_000_000, 100_000);
        int calls = settings.either(CALLS, 20);
        RoundRatios rounds = new RoundRatios();
        rounds.note(exchange, String.format("%,d floats on one shard", floats));
        ShardContents contents = ShardContents.floats(floats);
        int bytes = floats * Float.BYTES;
        try (Exchange plain = new Exchange(contents, ChannelSecurity.plain());
                Exchange tls = new Exchange(contents, ChannelSecurity.token(new SecureRandom()));
                RawTcp bulk = new RawTcp(bytes);
                RawTcp ping = new RawTcp(FRAME);
                RawTls bulkTls = new RawTls(bytes);
                RawTls pingTls = new RawTls(FRAME)) {
            float[] from = new float[floats];
            float[] to = from.clone();
            Turn copies = () -> {
                System.arraycopy(from, 0, to, 0, floats);
                System.arraycopy(to, 0, from, 0, floats);
            };
            Turn[] large = {plain::step, bulk::exchange, copies, tls::step, bulkTls::exchange};
            Turn[] small = {
                () -> repeat(calls, plain::call),
                () -> repeat(calls, ping::exchange),
                () -> repeat(calls, tls::call),
                () -> repeat(calls, pingTls::exchange)
            };
            // Warm-up turns for the compiler.
            medians(settings.either(TURNS, 1), large);
            medians(settings.either(SMALL_WARM_UP, 1), small);
            for (int i = 0; i < settings.rounds(); i++) {
                double[] ms = medians(settings.either(TURNS, 1), large);
                rounds.add(exchange, ms[1] / ms[0])
                        .side(exchange, "push and pull %.1f ms", ms[0])
                        .side(exchange, "raw TCP %.1f ms", ms[1])
                        .side(exchange, "two copies %.1f ms", ms[2])
                        .add(exchangeTls, added(ms[4], ms[1]) / added(ms[3], ms[0]))
                        .side(exchangeTls, "push and pull by TLS %.1f ms", ms[3])
                        .side(exchangeTls, "TLS of the JDK %.1f ms", ms[4]);
                double[] us = Arrays.stream(medians(settings.either(TURNS, 1), small))
                        .map(time -> time * 1000 / calls)
                        .toArray();
                rounds.add(call, us[1] / us[0])
                        .side(call, "call %.1f us", us[0])
                        .side(call, "raw TCP %.1f us", us[1])
                        .add(callTls, added(us[3], us[1]) / added(us[2], us[0]))
                        .side(callTls, "call by TLS %.1f us", us[2])
                        .side(callTls, "TLS of the JDK %.1f us", us[3]);
            }
        }
        return rounds;
    }

    private static ShardServer serve(ShardContents contents, Handshake handshake, TimerService timers)
            throws Exception {
        ParameterShard shard = new ParameterShard(
                contents.split(1).get(0),
                1,
                contents,
                UpdateRule.of(Optimizer.parse("sgd:learning_rate=0.01"), Consistency.asynchronous()),
                1 << 20);
        shard.initialize(new float[contents.size()]);
        ShardServer server = ShardServer.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ServedShard(RUN, 0, 1, contents, List.of(), handshake),
                ConnectionSettings.defaults(),
                timers);
        server.place(new HostedShard(shard, new Term(1, RUN), new ShardLife(RUN, 1, 0)));
        return server;
    }

    /** A server and a worker that pushes and pulls but computes no gradient. */
    private static final class Exchange implements AutoCloseable {
        private final DaemonTimerService timers = new DaemonTimerService("bench-timers", System::nanoTime);
        private final ShardServer server;
        private final RemoteShards worker;
        private final float[] gradient;
        private final float[] weights;
        private final WeightVersions base = new WeightVersions(1);
        private long push;

        Exchange(ShardContents contents, ChannelSecurity security) throws Exception {
            Handshake handshake = new Handshake(JobToken.create(new SecureRandom()), new SecureRandom(), security);
            server = serve(contents, handshake, timers);
            worker = RemoteShards.of(
                    List.of(server.address()),
                    new ShardClientConfig(RUN, "worker-0", contents, List.of(), PATIENCE, handshake, timers),
                    ConnectionSettings.defaults());
            gradient = new float[contents.size()];
            weights = new float[contents.size()];
            Arrays.fill(gradient, 0.5f);
            worker.pull(weights, List.of(), base);
        }

        void step() throws InterruptedException {
            worker.push(push++, base, gradient, List.of());
            worker.pull(weights, List.of(), base);
        }

        void call() throws InterruptedException {
            worker.resumeAt(0, 0);
        }

        @Override
        public void close() {
            worker.close();
            server.close();
            timers.close();
        }
    }
}
