package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.bounds.TimerService;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Servers of all shards of a model and their workers in one process, over loopback sockets. */
final class Loopback implements AutoCloseable {
    static final String RUN = "run-1";
    static final Term TERM = new Term(1, "master.1");
    static final ConnectionSettings QUICK = ConnectionSettings.builder()
            .greeting(Duration.ofSeconds(5))
            .firstPause(Duration.ofMillis(1))
            .longestPause(Duration.ofMillis(4))
            .stagingBytes(0)
            .build();

    final ShardContents contents;
    final List<EmbeddingTable> tables;
    final Consistency consistency;
    private final JobToken token = JobToken.create(new SecureRandom());
    final Handshake handshake = handshake(ChannelSecurity.plain());
    final List<ShardServer> servers = new ArrayList<>();
    final List<HostedShard> shards = new ArrayList<>();
    final List<ManualTimers> timers = new ArrayList<>();
    private final List<AutoCloseable> closed = new ArrayList<>();

    Loopback(int count, ShardContents contents, List<EmbeddingTable> tables, Consistency consistency) {
        this.contents = contents;
        this.tables = tables;
        this.consistency = consistency;
        for (int i = 0; i < count; i++) {
            timers.add(new ManualTimers());
            servers.add(listen(served(i, count), timers.get(i)));
            shards.add(shard(i, count, new ShardLife(RUN, 1, 0)));
            servers.get(i).place(shards.get(i));
        }
    }

    /** Shards of a vector of zeros, by plain SGD of rate 1. */
    static Loopback floats(int count, int size, Consistency consistency) {
        return new Loopback(count, ShardContents.floats(size), List.of(), consistency);
    }

    Handshake handshake(ChannelSecurity security) {
        return new Handshake(token, new SecureRandom(), security);
    }

    ServedShard served(int index, int count) {
        return new ServedShard(RUN, index, count, contents, tables, handshake);
    }

    ShardServer listen(ServedShard served, TimerService timers) {
        try {
            ShardServer server = ShardServer.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served, QUICK, timers);
            closed.add(server);
            return server;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    HostedShard shard(int index, int count, ShardLife life) {
        ParameterShard shard = new ParameterShard(
                contents.split(count).get(index), count, contents, UpdateRule.of(Optimizer.sgd(1), consistency), 1000);
        shard.initialize(new float[contents.size()]);
        return new HostedShard(shard, TERM, life);
    }

    List<InetSocketAddress> addresses() {
        return servers.stream().map(ShardServer::address).toList();
    }

    RemoteShards worker(String name) {
        return worker(name, addresses(), Duration.ofSeconds(20));
    }

    RemoteShards worker(String name, List<InetSocketAddress> addresses, Duration patience) {
        return worker(
                new ShardClientConfig(RUN, name, contents, tables, patience, handshake, new ManualTimers()), addresses);
    }

    RemoteShards worker(ShardClientConfig config, List<InetSocketAddress> addresses) {
        RemoteShards worker = RemoteShards.of(addresses, config, QUICK);
        closed.add(worker);
        return worker;
    }

    <T extends AutoCloseable> T closes(T later) {
        closed.add(later);
        return later;
    }

    @Override
    public void close() {
        for (int i = closed.size() - 1; i >= 0; i--) {
            try {
                closed.get(i).close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
