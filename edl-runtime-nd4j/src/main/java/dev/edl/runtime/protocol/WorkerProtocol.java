package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.task.Task;
import java.nio.FloatBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker: asks its master for a task, asks the shards where to resume it, and for each minibatch pulls from all shards, computes
 * and pushes to all shards at once.
 *
 * <p>What it does about faults:
 *
 * <ul>
 *   <li>A connection breaks: it asks the same shard again, with the same request number and push id.
 *   <li>A shard has another life than the view says: it connects again, until a view has that life or another server answers. It
 *       does the minibatch again.
 *   <li>A shard has answered its push while another has not: it tells the first one that it is idle, so that no circle of waits
 *       can close. It does so after {@link #IDLE_AFTER}, since both answers mostly come at once.
 *   <li>The master is away: it works on, and reports to the next master.
 * </ul>
 */
public final class WorkerProtocol implements Machine {
    /** The time from the answer of one shard on, after which a worker that waits for another is idle. */
    static final long IDLE_AFTER = Duration.ofMillis(50).toNanos();

    /** The pause before a worker without a task asks again. */
    static final long ASK_AGAIN = Duration.ofMillis(500).toNanos();

    /** What the worker waits for. */
    private enum Phase {
        TASK,
        PAUSE,
        RESUME,
        PULL,
        GRADIENT,
        PUSH,
        REPORT
    }

    private final List<ShardRange> ranges;
    private final Dialer master;
    private final List<ShardEnd> shards = new ArrayList<>();
    private final Heartbeat heartbeat = new Heartbeat();
    private final List<Effect> out = new ArrayList<>();
    private Phase phase = Phase.TASK;
    private MasterToWorker.@Nullable View view;
    private boolean welcome;
    private @Nullable Task task;
    private int minibatch;
    private long request;
    private long pauseEnd;
    private FloatBuffer gradient = FloatBuffer.allocate(0);

    /** What the worker knows of one shard in the present phase. */
    private static final class ShardEnd {
        final Dialer dialer;
        /** The life that was asked last. */
        ShardLife asked = ShardLife.UNORDERED;

        @Nullable
        ShardToWorker answer;

        long answeredAt;
        boolean idle;
        /** Of the last pull. */
        ShardLife baseLife = ShardLife.UNORDERED;

        long baseVersion;

        ShardEnd(String name) {
            this.dialer = new Dialer(name);
        }
    }

    /**
     * Makes a worker without a task, which begins with the first tick.
     *
     * @param master the name of the master as a peer
     * @param ranges of the shards, whose names are those of the peers
     */
    public WorkerProtocol(String master, List<ShardRange> ranges) {
        this.master = new Dialer(master);
        this.ranges = List.copyOf(ranges);
        this.ranges.forEach(range -> shards.add(new ShardEnd(range.name())));
    }

    @Override
    public List<Effect> on(Event event, long now) {
        if (event instanceof Event.Received received) {
            received(received.link(), received.message(), now);
        } else if (event instanceof Event.Closed closed) {
            closed(closed.link(), now);
        } else if (event instanceof Event.Computed computed) {
            computed(computed, now);
        }
        due(now);
        List<Effect> effects = List.copyOf(out);
        out.clear();
        return effects;
    }

    private void received(Link link, Message message, long now) {
        if (message instanceof MasterToWorker word && master.is(link)) {
            master.answered();
            fromMaster(word, now);
        } else if (message instanceof ShardToWorker answer) {
            for (int i = 0; i < shards.size(); i++) {
                ShardEnd shard = shards.get(i);
                if (shard.dialer.is(link)) {
                    if (!(answer instanceof ShardToWorker.Gone)) {
                        shard.dialer.answered();
                    }
                    answered(i, shard, answer, now);
                }
            }
        }
    }

    private void fromMaster(MasterToWorker word, long now) {
        if (word instanceof MasterToWorker.View next) {
            look(next, now);
        } else if (word instanceof MasterToWorker.Welcome answer) {
            welcome = true;
            if (!answer.kept()) {
                drop();
            }
            if (phase == Phase.TASK || phase == Phase.REPORT) {
                askMaster();
            }
        } else if (word instanceof MasterToWorker.Taken taken) {
            if (taken.task().equals(task)) {
                drop();
                askMaster();
            }
        } else if (word instanceof MasterToWorker.Given given) {
            if (phase == Phase.TASK && given.request() == request) {
                task = given.task();
                ask(Phase.RESUME, now);
            }
        } else if (word instanceof MasterToWorker.Wait wait) {
            if (phase == Phase.TASK && wait.request() == request) {
                phase = Phase.PAUSE;
                pauseEnd = now + ASK_AGAIN;
            }
        } else if (word instanceof MasterToWorker.Leave leave) {
            if (phase == Phase.TASK && leave.request() == request) {
                out.add(new Effect.End(0, "the training is complete"));
            }
        } else if (word instanceof MasterToWorker.Reported reported) {
            if (phase == Phase.REPORT && reported.request() == request) {
                drop();
                askMaster();
            }
        }
    }

    private void look(MasterToWorker.View next, long now) {
        view = next;
        for (int i = 0; i < shards.size(); i++) {
            follow(i, shards.get(i), now);
        }
    }

    /** Asks again when a shard has another life than the one that was asked. */
    private void follow(int i, ShardEnd shard, long now) {
        ShardLife life = life(i);
        if (life.equals(ShardLife.UNORDERED) || life.equals(shard.asked)) {
            return;
        }
        if (phase == Phase.PUSH && shard.answer == null) {
            ask(Phase.PULL, now);
        } else if (phase == Phase.RESUME || phase == Phase.PULL) {
            // Also what it has answered: that was another life.
            shard.answer = null;
            ask(i, shard, now);
        }
    }

    /** Returns the life of a shard by the view. */
    private ShardLife life(int shard) {
        MasterToWorker.View seen = view;
        return seen == null ? ShardLife.UNORDERED : seen.lives().get(shard);
    }

    /** Forgets the task, whatever is known of it at the shards. */
    private void drop() {
        if (task != null) {
            task = null;
            phase = Phase.TASK;
            request++;
        }
    }

    private void askMaster() {
        if (!welcome) {
            return;
        }
        Task held = task;
        if (phase == Phase.REPORT && held != null) {
            out.add(new Effect.Send(master.link(), new WorkerToMaster.Report(request, held)));
        } else if (phase == Phase.TASK) {
            out.add(new Effect.Send(master.link(), new WorkerToMaster.Next(request)));
        }
    }

    /** Begins a phase that needs an answer of every shard. */
    private void ask(Phase next, long now) {
        phase = next;
        request++;
        for (int i = 0; i < shards.size(); i++) {
            ShardEnd shard = shards.get(i);
            shard.answer = null;
            shard.idle = false;
            shard.asked = ShardLife.UNORDERED;
            ask(i, shard, now);
        }
    }

    private void ask(int i, ShardEnd shard, long now) {
        // A gradient belongs to the life that it was computed from.
        shard.asked = phase == Phase.PUSH ? shard.baseLife : life(i);
        if (isAsked(shard) && shard.dialer.isReady(now)) {
            out.add(new Effect.Send(shard.dialer.link(), question(i, shard)));
        }
    }

    private WorkerToShard question(int i, ShardEnd shard) {
        Task held = task();
        return switch (phase) {
            case RESUME -> new WorkerToShard.Held(shard.asked, request, held.pushId(0), held.minibatches());
            case PULL -> new WorkerToShard.Pull(shard.asked, request);
            case PUSH -> {
                ShardRange range = ranges.get(i);
                FloatBuffer part = gradient.slice(range.offset(), range.length());
                yield new WorkerToShard.Push(shard.asked, request, held.pushId(minibatch), shard.baseVersion, part);
            }
            default -> throw new IllegalStateException("nothing is asked of " + ranges.get(i) + " in phase " + phase);
        };
    }

    private Task task() {
        Task held = task;
        if (held == null) {
            throw new IllegalStateException("there is no task in phase " + phase);
        }
        return held;
    }

    private boolean asksShards() {
        return phase == Phase.RESUME || phase == Phase.PULL || phase == Phase.PUSH;
    }

    private void answered(int i, ShardEnd shard, ShardToWorker answer, long now) {
        if (!asksShards() || answer.request() != request || shard.answer != null) {
            return;
        }
        if (answer instanceof ShardToWorker.Gone) {
            gone(i, shard, now);
            return;
        }
        if (answer instanceof ShardToWorker.NotFinite) {
            out.add(new Effect.End(
                    70,
                    ranges.get(i).name() + " refused the gradient of minibatch " + minibatch + " of " + task()
                            + ": it holds NaN or an infinity"));
            return;
        }
        if (!answer.life().equals(shard.asked)) {
            return;
        }
        shard.answer = answer;
        shard.answeredAt = now;
        if (answer instanceof ShardToWorker.Values values) {
            shard.baseLife = values.life();
            shard.baseVersion = values.version();
        }
        if (shards.stream().allMatch(each -> each.answer != null)) {
            allAnswered(now);
        }
    }

    /** The server at this connection has another life than the one that was asked. */
    private void gone(int i, ShardEnd shard, long now) {
        if (life(i).equals(shard.asked)) {
            // Its life may be on its way in a view, or the server is one that was replaced: another connection tells.
            Link link = shard.dialer.link();
            out.add(new Effect.Close(link));
            shard.dialer.closed(link, now);
        } else {
            follow(i, shard, now);
        }
    }

    private void allAnswered(long now) {
        Task held = task();
        if (phase == Phase.RESUME) {
            int first = held.minibatches();
            for (ShardEnd shard : shards) {
                if (shard.answer instanceof ShardToWorker.Count count) {
                    first = Math.min(first, count.held());
                }
            }
            minibatch = first;
            begin(now);
        } else if (phase == Phase.PULL) {
            FloatBuffer parameters =
                    FloatBuffer.allocate(ranges.get(ranges.size() - 1).end());
            for (int i = 0; i < shards.size(); i++) {
                if (shards.get(i).answer instanceof ShardToWorker.Values values) {
                    parameters.put(
                            ranges.get(i).offset(),
                            values.values(),
                            0,
                            ranges.get(i).length());
                }
            }
            phase = Phase.GRADIENT;
            request++;
            out.add(new Effect.Compute(request, held, minibatch, parameters));
        } else {
            boolean stale = shards.stream()
                    .anyMatch(shard ->
                            shard.answer instanceof ShardToWorker.Result result && result.outcome() == Outcome.STALE);
            if (!stale) {
                minibatch++;
            }
            begin(now);
        }
    }

    /** Begins the next minibatch, or reports the task. */
    private void begin(long now) {
        if (minibatch < task().minibatches()) {
            ask(Phase.PULL, now);
        } else {
            phase = Phase.REPORT;
            request++;
            askMaster();
        }
    }

    private void computed(Event.Computed computed, long now) {
        if (phase != Phase.GRADIENT || computed.number() != request) {
            return;
        }
        gradient = computed.gradient();
        boolean moved = false;
        for (int i = 0; i < shards.size(); i++) {
            moved |= !life(i).equals(shards.get(i).baseLife);
        }
        ask(moved ? Phase.PULL : Phase.PUSH, now);
    }

    private void closed(Link link, long now) {
        if (master.closed(link, now)) {
            welcome = false;
        }
        for (ShardEnd shard : shards) {
            if (shard.dialer.closed(link, now)) {
                // The shard may not have heard of it.
                shard.idle = false;
            }
        }
    }

    /** Does what the time asks for. */
    private void due(long now) {
        if (!master.isOpen() && master.isReady(now)) {
            MasterToWorker.View last = view;
            long followed = last == null ? 0 : last.term().number();
            out.add(new Effect.Send(master.link(), new WorkerToMaster.Hello(followed, task)));
            heartbeat.beaten(now);
        }
        if (welcome && heartbeat.isDue(now)) {
            heartbeat.beaten(now);
            out.add(new Effect.Send(master.link(), new WorkerToMaster.Beat(task)));
        }
        if (phase == Phase.PAUSE && now >= pauseEnd) {
            phase = Phase.TASK;
            request++;
            askMaster();
        }
        if (!asksShards()) {
            return;
        }
        for (int i = 0; i < shards.size(); i++) {
            ShardEnd shard = shards.get(i);
            if (shard.answer == null && isAsked(shard) && !shard.dialer.isOpen() && shard.dialer.isReady(now)) {
                out.add(new Effect.Send(shard.dialer.link(), question(i, shard)));
            }
            if (isIdleDue(shard, now) && shard.dialer.isReady(now)) {
                shard.idle = true;
                out.add(new Effect.Send(shard.dialer.link(), new WorkerToShard.Idle(shard.baseLife, request)));
            }
        }
    }

    private static boolean isAsked(ShardEnd shard) {
        return !shard.asked.equals(ShardLife.UNORDERED);
    }

    private boolean isIdleDue(ShardEnd shard, long now) {
        return phase == Phase.PUSH && shard.answer != null && !shard.idle && now >= shard.answeredAt + IDLE_AFTER;
    }

    @Override
    public long wakeAt() {
        long at = master.isOpen() ? NEVER : master.retryAt();
        if (welcome) {
            at = Math.min(at, heartbeat.dueAt());
        }
        if (phase == Phase.PAUSE) {
            at = Math.min(at, pauseEnd);
        }
        if (asksShards()) {
            for (ShardEnd shard : shards) {
                if (shard.answer == null && isAsked(shard)) {
                    at = Math.min(at, shard.dialer.retryAt());
                } else if (phase == Phase.PUSH && shard.answer != null && !shard.idle) {
                    at = Math.min(at, Math.max(shard.answeredAt + IDLE_AFTER, openAt(shard)));
                }
            }
        }
        return at;
    }

    private static long openAt(ShardEnd shard) {
        return shard.dialer.isOpen() ? Long.MIN_VALUE : shard.dialer.retryAt();
    }

    /** Returns the text for people, for example {@code PUSH minibatch 1 of task 7: a[12..18) of epoch 1}. */
    @Override
    public String toString() {
        return phase + (task == null ? "" : " minibatch " + minibatch + " of " + task);
    }
}
