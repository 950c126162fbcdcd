package dev.edl.runtime.ps.group;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.optimizers.UpdateRule;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.host.HostedShard;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.ParameterShard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** Two servers of two floats each, behind ports; a master takes some or all of them for servers of other processes. */
final class ServerHosts {
    static final ShardContents CONTENTS = ShardContents.floats(4);
    private static final Term FIRST = new Term(1, "m.1");

    final ShardGroup shards;
    private final Consistency consistency;
    private final int perEpoch;
    private final ParameterShard[] kept = new ParameterShard[2];
    private final HostedShard[] hosted = new HostedShard[2];
    private final ShardPort[] ports = new ShardPort[2];
    private final Map<String, AtomicLong> sequences = new ConcurrentHashMap<>();
    private long lives;

    private final IntPredicate here;

    ServerHosts(ShardGroup shards, Consistency consistency, int perEpoch) {
        this(shards, consistency, perEpoch, index -> false);
    }

    /** Makes servers, some of which are in the master's JVM. */
    ServerHosts(ShardGroup shards, Consistency consistency, int perEpoch, IntPredicate here) {
        this.here = here;
        this.shards = shards;
        this.consistency = consistency;
        this.perEpoch = perEpoch;
    }

    /** Begins a life of a shard with zeros; its server does not report it yet. */
    HostedShard begin(int index) {
        ParameterShard shard = new ParameterShard(
                CONTENTS.split(2).get(index), 2, CONTENTS, UpdateRule.of(Optimizer.sgd(1f), consistency), perEpoch);
        shard.initialize(new float[4]);
        HostedShard host = new HostedShard(shard, FIRST, new ShardLife("run", 1, lives++));
        kept[index] = shard;
        hosted[index] = host;
        return host;
    }

    /** Reports the life of a shard through a layer between it and the master. */
    void attach(int index, UnaryOperator<ShardPort> between) {
        ShardPort port = between.apply(hosted[index]);
        ports[index] = port;
        shards.attach(index, port);
    }

    private void attach(int index) {
        attach(index, port -> here.test(index) ? port : watched(port, new ConcurrentLinkedQueue<>(), call -> {}));
    }

    void start() {
        for (int i = 0; i < 2; i++) {
            begin(i);
            attach(i);
        }
    }

    HostedShard hosted(int index) {
        return hosted[index];
    }

    ShardPort port(int index) {
        return ports[index];
    }

    void lose(int index) {
        shards.detach(index, ports[index]);
        hosted[index].retire();
    }

    void bringBack(int index) {
        begin(index);
        attach(index);
    }

    void push(String worker, long pushId) throws InterruptedException {
        long sequence =
                sequences.computeIfAbsent(worker, name -> new AtomicLong()).incrementAndGet();
        long[] versions = new long[2];
        for (int i = 0; i < 2; i++) {
            versions[i] = hosted[i].pull(worker, new float[2], List.of());
        }
        for (int i = 0; i < 2; i++) {
            hosted[i].push(worker, sequence, pushId, hosted[i].life(), versions[i], new float[] {1, 1}, List.of());
        }
    }

    /** Pushes to one shard only, like a worker that dies in between. */
    void pushTo(int index, String worker, long pushId) throws InterruptedException {
        long sequence =
                sequences.computeIfAbsent(worker, name -> new AtomicLong()).incrementAndGet();
        long version = hosted[index].pull(worker, new float[2], List.of());
        hosted[index].push(worker, sequence, pushId, hosted[index].life(), version, new float[] {1, 1}, List.of());
    }

    List<String> members(int index) {
        return new ArrayList<>(kept[index].members());
    }

    Optional<DecisionRecord> kept(int index) {
        return hosted[index].decided();
    }

    /** Records the names of the calls through a port, and runs an action before some. */
    static ShardPort watched(ShardPort port, ConcurrentLinkedQueue<String> calls, Before before) {
        return (ShardPort) java.lang.reflect.Proxy.newProxyInstance(
                ShardPort.class.getClassLoader(), new Class<?>[] {ShardPort.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return switch (method.getName()) {
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "watched " + port;
                        };
                    }
                    if (method.getName().equals("here")) {
                        return false;
                    }
                    calls.add(method.getName());
                    before.call(method.getName());
                    try {
                        return method.invoke(port, arguments);
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Receives the name of a call before it is made. */
    @FunctionalInterface
    interface Before {
        void call(String name) throws Exception;
    }

    /** Returns a port whose copies are taken through a layer of the test. */
    static ShardPort saving(ShardPort port, Saving layer) {
        return (ShardPort) java.lang.reflect.Proxy.newProxyInstance(
                ShardPort.class.getClassLoader(), new Class<?>[] {ShardPort.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("here")) {
                        return false;
                    }
                    if (method.getName().equals("saveCut")) {
                        return layer.save(port, (Term) arguments[0], (long) arguments[1]);
                    }
                    try {
                        return method.invoke(port, arguments);
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Takes a copy of a shard for a cut. */
    @FunctionalInterface
    interface Saving {
        SnapshotTransfer save(ShardPort port, Term term, long cut) throws InterruptedException;
    }
}
