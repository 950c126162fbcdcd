package dev.edl.runtime.protocol;

import dev.edl.runtime.data.DataShard;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.ParameterShard;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.Sharding;
import dev.edl.runtime.task.LedgerSpec;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One life of a training's protocol, from its seed: a storm of faults, and a calm in which the training has to end. */
final class Life {
    /** The longest that a training takes once faults have stopped. */
    static final long CALM = 240 * Timeline.SECOND;

    private static final long MILLI = Timeline.MILLI;

    final Timeline time = new Timeline();
    final Random dice;
    final Weather weather;
    final Oracle oracle;
    final Defect defect;
    final Consistency consistency;
    final LedgerSpec spec;
    final List<ShardRange> ranges;
    private final boolean traced;
    private final List<String> trace = new ArrayList<>();
    private final List<Node> processes = new ArrayList<>();
    private final List<Map<CutId, ShardSnapshot>> parts = new ArrayList<>();
    private final Map<String, Long> dialed = new HashMap<>();
    private final int gradientMillis;
    private final long cutMillis;
    private final Map<String, Disk> disks = new HashMap<>();
    private Disk disk = new Disk();
    private long names;
    private long accepted;
    private long stormEnd;
    long slowUntil;
    long diskSlowUntil;
    /** Whether the result has a manifest: from then on nothing happens that could lose it. */
    private boolean hasResult;

    private boolean done;

    private Life(long seed, Defect defect, boolean traced) {
        this.dice = new Random(seed * 0x9E3779B97F4A7C15L);
        this.defect = defect;
        this.traced = traced;
        int shards = 1 + dice.nextInt(3);
        this.ranges = Sharding.split(2 * shards, shards);
        this.consistency = switch (dice.nextInt(4)) {
            case 0 -> Consistency.asynchronous();
            case 1 -> Consistency.staleness(1 + dice.nextInt(3));
            default -> Consistency.synchronous();
        };
        this.spec = LedgerSpec.builder()
                .training(List.of(new DataShard("a", 13), new DataShard("b", 8)))
                .minibatchSize(1)
                .minibatchesPerTask(1 + dice.nextInt(4))
                .epochs(1 + dice.nextInt(2))
                .leaseTimeout(Duration.ofSeconds(10))
                .build();
        this.gradientMillis = 20 + dice.nextInt(1_500);
        this.cutMillis = 300L + dice.nextInt(3_000);
        this.weather = new Weather(this);
        this.oracle = new Oracle(this);
    }

    static Life of(long seed, boolean traced) {
        return of(seed, Defect.NONE, traced);
    }

    static Life of(long seed, Defect defect, boolean traced) {
        Life life = new Life(seed, defect, traced);
        life.live();
        return life;
    }

    /** Keeps what happened for the trace, if there is one; parts become text only then. */
    void note(Object... parts) {
        if (traced) {
            String text = Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining());
            trace.add(String.format("%9.4f s  %s", time.now() / 1e9, text));
        }
    }

    List<String> trace() {
        return trace;
    }

    private void live() {
        startMaster();
        for (int i = 0; i < ranges.size(); i++) {
            parts.add(new HashMap<>());
            startServer(i);
        }
        int workers = 1 + dice.nextInt(4);
        for (int i = 0; i < workers; i++) {
            startWorker();
        }
        long quiet = dice.nextInt(dice.nextBoolean() ? 10_000 : 500) * MILLI;
        stormEnd = quiet + (5_000 + dice.nextInt(25_000)) * MILLI;
        time.at(quiet, () -> weather.storm = true);
        int acts = 8 + dice.nextInt(16);
        for (int i = 0; i < acts; i++) {
            time.at(quiet + (long) (dice.nextDouble() * (stormEnd - quiet)), () -> {
                if (!hasResult) {
                    weather.act();
                }
            });
        }
        time.at(stormEnd, this::calm);
        while (!done && oracle.broken.isEmpty() && time.step(stormEnd + CALM)) {
            // Each step is an event.
        }
        if (!done && oracle.broken.isEmpty()) {
            oracle.breaks("the training has not ended " + CALM / Timeline.SECOND + " s after the last fault: "
                    + processes.stream().filter(each -> each.alive).toList());
        }
    }

    /** The faults stop; the executor ends the masters that it has replaced. */
    private void calm() {
        note("the storm is over");
        weather.calm();
        slowUntil = 0;
        diskSlowUntil = 0;
        List<Node> masters = hasResult ? List.of() : masters();
        masters.subList(0, Math.max(0, masters.size() - 1)).forEach(this::end);
    }

    List<Node> alive() {
        return processes.stream().filter(each -> each.alive).toList();
    }

    boolean isAlive(String id) {
        return processes.stream().anyMatch(each -> each.alive && each.id.equals(id));
    }

    private List<Node> masters() {
        return processes.stream()
                .filter(each -> each.alive && each.name.equals("master"))
                .toList();
    }

    Optional<Node> master() {
        List<Node> masters = masters();
        return masters.isEmpty() ? Optional.empty() : Optional.of(masters.get(masters.size() - 1));
    }

    Optional<Node> server(Random by) {
        return one(by, "ps-");
    }

    Optional<Node> worker(Random by) {
        return one(by, "worker-");
    }

    private Optional<Node> one(Random by, String prefix) {
        List<Node> some = processes.stream()
                .filter(each -> each.alive && each.name.startsWith(prefix))
                .toList();
        return some.isEmpty() ? Optional.empty() : Optional.of(some.get(by.nextInt(some.size())));
    }

    private void start(String name, String id, Machine machine) {
        Node process = new Node(this, name, id, defect.in(machine, name, this));
        processes.add(process);
        note(id + " starts");
        process.hear(new Event.Tick());
    }

    void startMaster() {
        String id = "m" + names++;
        disks.put(id, disk);
        MasterProtocol machine = new MasterProtocol(
                "run",
                id,
                spec,
                ranges.size(),
                Duration.ofMillis(cutMillis),
                disk.of(id, event -> oracle.journaled(id, event)));
        start("master", id, machine);
    }

    private void startServer(int index) {
        String id = "ps-" + index + "." + names++;
        ShardRange range = ranges.get(index);
        ShardProtocol machine = new ShardProtocol(
                "master", range, spec.epochs(), consistency.isSynchronous(), state -> shard(id, range, state));
        start(range.name(), id, machine);
    }

    /** Starts a server beside one that lives, which the executor takes for dead. */
    void startSuccessor(Node server) {
        startServer(indexOf(server));
    }

    private ParameterShard shard(String id, ShardRange range, @Nullable ShardSnapshot state) {
        ParameterShard shard = new ParameterShard(
                range, Optimizer.sgd(1f), consistency, spec.pushIds().minibatchesPerEpoch());
        if (state == null) {
            shard.initialize(new float[ranges.get(ranges.size() - 1).end()]);
        } else {
            shard.restore(state);
        }
        oracle.watch(id, shard);
        return shard;
    }

    private void startWorker() {
        String name = "worker-" + names++;
        start(name, name, new WorkerProtocol("master", ranges));
    }

    /** A process dies, and the executor starts its successor. */
    void die(Node process) {
        end(process);
        long after = (100 + dice.nextInt(8_000)) * MILLI;
        time.in(after, () -> {
            if (done) {
                return;
            }
            if (process.name.startsWith("worker-")) {
                startWorker();
            } else if (process.name.startsWith("ps-")) {
                if (processes.stream().noneMatch(each -> each.alive && each.name.equals(process.name))) {
                    startServer(indexOf(process));
                }
            } else if (masters().isEmpty()) {
                startMaster();
                if (weather.storm && dice.nextInt(3) == 0) {
                    weather.strike(Fault.SECOND_MASTER, "at once, with a copy of the disk");
                    disk = disk.copy();
                    startMaster();
                }
            }
        });
    }

    private void end(Node process) {
        note(process.id + " ends");
        process.alive = false;
        List.copyOf(process.links.values()).forEach(Connection::breaks);
    }

    private static int indexOf(Node server) {
        return Integer.parseInt(server.name.substring("ps-".length()));
    }

    void loseDisk(Node server) {
        parts.set(indexOf(server), new HashMap<>());
    }

    void loseMasterDisk() {
        disk = new Disk();
    }

    void carryOut(Node by, Effect effect) {
        if (effect instanceof Effect.Send send) {
            send(by, send.link(), send.message());
        } else if (effect instanceof Effect.Close close) {
            Connection connection = by.links.get(close.link());
            if (connection != null) {
                connection.closes(by);
            }
        } else if (effect instanceof Effect.Compute compute) {
            long millis =
                    1L + dice.nextInt(gradientMillis) + (time.now() < slowUntil ? 5_000 + dice.nextInt(7_000) : 0);
            FloatBuffer gradient = Oracle.vector(
                    compute.task().pushId(compute.minibatch()),
                    ranges.get(ranges.size() - 1).end());
            time.in(millis * MILLI, () -> by.hear(new Event.Computed(compute.number(), gradient)));
        } else if (effect instanceof Effect.Write write) {
            Map<CutId, ShardSnapshot> to = parts.get(indexOf(by));
            time.in(diskTime(), () -> {
                if (by.alive) {
                    to.put(write.cut(), write.state());
                    by.hear(new Event.Written(write.cut()));
                }
            });
        } else if (effect instanceof Effect.Load load) {
            Map<CutId, ShardSnapshot> from = parts.get(indexOf(by));
            ShardSnapshot state = load.cut() == null ? null : from.get(load.cut());
            time.in(diskTime(), () -> by.hear(new Event.Loaded(load.number(), state)));
        } else if (effect instanceof Effect.Commit commit) {
            Disk to = disks.getOrDefault(by.id, disk);
            time.in(diskTime(), () -> {
                if (by.alive || dice.nextBoolean()) {
                    to.commit(commit);
                    hasResult |= commit.last();
                    oracle.committed(by, commit, to.journal(by.id));
                    by.hear(new Event.Committed(commit.cut()));
                }
            });
        } else if (effect instanceof Effect.End end) {
            ended(by, end);
        }
    }

    private long diskTime() {
        return (1 + dice.nextInt(20) + (time.now() < diskSlowUntil ? dice.nextInt(10_000) : 0)) * MILLI;
    }

    private void ended(Node process, Effect.End end) {
        note(process.id + " ends with " + end.code() + ": " + end.reason());
        if (end.code() == 0) {
            end(process);
            done = done || process.name.equals("master");
        } else if (end.code() == 75) {
            // Its successor starts, unless another one has its place.
            die(process);
        } else {
            oracle.breaks(process.id + " ended with " + end.code() + ": " + end.reason());
        }
    }

    private void send(Node by, Link link, Message message) {
        Connection connection = by.links.get(link);
        if (connection == null) {
            connection = connect(by, link);
        }
        if (connection != null) {
            note(by.id, " to ", link, ": ", message);
            connection.send(by, message);
        }
    }

    private @Nullable Connection connect(Node by, Link link) {
        boolean dials = link.peer().equals("master") || by.name.startsWith("worker-");
        Long last = dialed.get(by.id + link.peer());
        if (by.name.equals("master") || !dials || (last != null && last >= link.number())) {
            // It was closed, which its end has not heard yet.
            return null;
        }
        dialed.put(by.id + link.peer(), link.number());
        Optional<Node> target = target(link.peer());
        if (target.isEmpty() || weather.isCut(by, target.get())) {
            time.in((1 + dice.nextInt(2_000)) * MILLI, () -> by.hear(new Event.Closed(link)));
            return null;
        }
        return new Connection(this, by, link, target.get(), new Link(by.name, accepted++));
    }

    /** Resolves a name, at times to a master that was replaced. */
    private Optional<Node> target(String name) {
        List<Node> all = processes.stream()
                .filter(each -> each.alive && each.name.equals(name))
                .toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        boolean old = all.size() > 1 && dice.nextInt(3) == 0;
        return Optional.of(all.get(old ? dice.nextInt(all.size()) : all.size() - 1));
    }
}
