package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardTimeoutException;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.group.TestShards;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardsContract;
import dev.edl.runtime.ps.ports.ShardsControl;
import dev.edl.runtime.ps.ports.ShardsPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.auth.JobToken;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs the contract of both ends with workers behind sockets. */
class RemoteShardsContractTest extends ShardsContract {
    private static final int SHARDS = 2;
    private static final int PER_EPOCH = 8;
    private static final String RUN = "run";
    private static final Term TERM = new Term(1, "m");
    private static final Duration PATIENCE = Duration.ofMillis(1);

    @Override
    protected Shards start(Consistency consistency) {
        TestShards group = TestShards.create(4, SHARDS, Optimizer.sgd(1f), consistency, PER_EPOCH, PATIENCE);
        try {
            group.initialize(new float[4]);
            return new OverSockets(group, consistency, cuts(), security());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the fault that breaks connections; none by default. */
    protected Optional<RandomCuts> cuts() {
        return Optional.empty();
    }

    /** Returns the encryption of the connections; none by default. */
    protected ChannelSecurity security() {
        return ChannelSecurity.plain();
    }

    private static final class OverSockets implements Shards {
        private final TestShards group;
        private final Consistency consistency;
        private final Handshake handshake;
        private final List<ShardServer> servers = new ArrayList<>();
        private final List<FaultyProxy> proxies = new ArrayList<>();
        private final List<RemoteShards> workers = new ArrayList<>();
        private final Set<Integer> lost = ConcurrentHashMap.newKeySet();

        OverSockets(TestShards group, Consistency consistency, Optional<RandomCuts> cuts, ChannelSecurity security)
                throws IOException {
            this.group = group;
            this.handshake = new Handshake(JobToken.create(new SecureRandom()), new SecureRandom(), security);
            this.consistency = consistency;
            for (int i = 0; i < SHARDS; i++) {
                servers.add(ShardServer.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new ServedShard(RUN, i, SHARDS, group.contents(), List.of(), handshake),
                        ConnectionSettings.defaults(),
                        new ManualTimers()));
                place(i);
                if (cuts.isPresent()) {
                    proxies.add(new FaultyProxy(servers.get(i).address(), cuts.get()));
                }
            }
        }

        private List<InetSocketAddress> addresses() {
            return proxies.isEmpty()
                    ? servers.stream().map(ShardServer::address).toList()
                    : proxies.stream().map(FaultyProxy::address).toList();
        }

        private void place(int index) {
            ParameterShard shard = group.shard(index).orElseThrow();
            servers.get(index).place(new HostedShard(shard, TERM, shard.life()));
        }

        @Override
        public ShardsPort worker(String name) {
            RemoteShards worker = RemoteShards.of(
                    addresses(),
                    new ShardClientConfig(
                            RUN, name, group.contents(), List.of(), PATIENCE, handshake, new ManualTimers()),
                    ConnectionSettings.defaults());
            workers.add(worker);
            return new Announcing(worker, group, lost, !proxies.isEmpty());
        }

        @Override
        public ShardsControl lead(Term term) {
            return group.lead(term);
        }

        @Override
        public void lose(int shard) {
            lost.add(shard);
            servers.get(shard).withdraw();
            disconnect();
            group.detach(shard);
        }

        /** Disconnects, so that a worker notices at once that its server is gone. */
        private void disconnect() {
            try {
                for (FaultyProxy proxy : proxies) {
                    proxy.disconnect();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void bringBack(int index) {
            ShardContents contents = group.contents();
            ParameterShard shard = new ParameterShard(
                    contents.split(SHARDS).get(index),
                    SHARDS,
                    contents,
                    UpdateRule.of(Optimizer.sgd(1f), consistency),
                    PER_EPOCH);
            shard.initialize(new float[4]);
            group.attach(index, shard);
            place(index);
            lost.remove(index);
        }

        @Override
        public void close() {
            workers.forEach(RemoteShards::close);
            for (FaultyProxy proxy : proxies) {
                try {
                    proxy.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            servers.forEach(ShardServer::close);
            group.close();
        }
    }

    /** Notifies the master, which is in this process, of pins, as a port of its own group does. */
    private record Announcing(ShardsPort port, TestShards group, Set<Integer> lost, boolean cuts)
            implements ShardsPort {
        private static final int ATTEMPTS = 30_000;

        private interface Pull {
            void run() throws InterruptedException;
        }

        /**
         * Pulls again unless a lost shard is absent: a connection that was cut may take longer than a millisecond to
         * return.
         */
        private void pull(Pull pull) throws InterruptedException {
            for (int attempt = 1; ; attempt++) {
                try {
                    pull.run();
                    return;
                } catch (ShardTimeoutException e) {
                    if (attempt == ATTEMPTS || explained(String.valueOf(e.getMessage()))) {
                        throw e;
                    }
                }
            }
        }

        private boolean explained(String timeout) {
            return cuts ? lost.stream().anyMatch(shard -> timeout.contains("ps-" + shard + " ")) : !lost.isEmpty();
        }

        private void announce() {
            group.leave("no-worker");
        }

        @Override
        public int count() {
            return port.count();
        }

        @Override
        public int missing() {
            return port.missing();
        }

        @Override
        public boolean observed() {
            return port.observed();
        }

        @Override
        public void pull(ParameterSink into, List<EmbeddingRows> rows, WeightVersions base)
                throws InterruptedException {
            pull(() -> port.pull(into, rows, base));
        }

        @Override
        public void pull(float[] into, List<EmbeddingRows> rows, WeightVersions base) throws InterruptedException {
            pull(() -> port.pull(into, rows, base));
        }

        @Override
        public PushResult push(long pushId, WeightVersions base, float[] gradient, List<EmbeddingRows> rows)
                throws InterruptedException {
            PushResult result = port.push(pushId, base, gradient, rows);
            announce();
            return result;
        }

        @Override
        public List<PushResult> answers() {
            return port.answers();
        }

        @Override
        public boolean awaitRound(long pushId, Duration bound) throws InterruptedException {
            boolean applied = port.awaitRound(pushId, bound);
            announce();
            return applied;
        }

        @Override
        public long resumeAt(long firstPushId, int count) throws InterruptedException {
            return port.resumeAt(firstPushId, count);
        }
    }
}
