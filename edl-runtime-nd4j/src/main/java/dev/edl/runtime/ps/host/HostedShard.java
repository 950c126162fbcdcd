package dev.edl.runtime.ps.host;

import dev.edl.runtime.model.EmbeddingRows;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardRange;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.WeightVersions;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.Fence;
import dev.edl.runtime.ps.ports.ParameterSink;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.ps.shard.CutParticipant;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.RoundMember;
import dev.edl.runtime.ps.shard.RoundWait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One life of a parameter shard in the JVM of its server. Serves the master's requests as a {@link ShardPort}, and
 * the workers' requests. Safe for several threads.
 *
 * <p>Each vector in a worker's call covers only the shard's range: index 0 is the first float of the range.
 */
public final class HostedShard implements ShardPort {
    private final ParameterShard shard;
    private final ShardLife life;
    private final Fence fence;
    /** Workers by name: members of rounds, and workers that have called this life of the shard. */
    private final Map<String, RoundMember> workers;

    private final Object ordering = new Object();
    /** Term of the members; null before the first. Requests may overtake each other, so their changes are numbered. */
    private @Nullable Term membersOf;
    /** Number of the last change of that term that the members include. */
    private long lastChange;
    /** Action that waits for the first members; null without one. */
    private @Nullable Runnable atMembers;

    private CutParticipant.@Nullable SnapshotBuffer snapshotBuffer;
    /** Number of the cut that {@link #snapshotBuffer} is for. */
    private long prepared;

    private volatile boolean ended;

    /**
     * Creates the host of a shard and begins the shard's life.
     *
     * @param shard shard that already has values
     * @param term term of the master that assigned the life; the shard follows this master
     */
    public HostedShard(ParameterShard shard, Term term, ShardLife life) {
        this(shard, term, life, new ConcurrentHashMap<>());
    }

    /**
     * Starts a life of one of several shards of this JVM.
     *
     * @param term term of the master that assigned the life; null for none
     * @param workers workers by name, shared by all these shards
     */
    public HostedShard(ParameterShard shard, @Nullable Term term, ShardLife life, Map<String, RoundMember> workers) {
        this.shard = shard;
        this.life = life;
        this.workers = workers;
        this.fence = new Fence(shard.range().name());
        if (term != null) {
            fence.require(term);
        }
        shard.begin(life);
    }

    /** Returns the shard, for callers in this JVM. */
    public ParameterShard shard() {
        return shard;
    }

    @Override
    public boolean here() {
        return true;
    }

    // Requests of workers.

    /** Returns the shard's part of the flat vector. */
    public ShardRange range() {
        return shard.range();
    }

    /** Returns the contents of all shards of the model. */
    public ShardContents contents() {
        return shard.contents();
    }

    /**
     * Copies the weights of one version, and fills this shard's rows.
     *
     * @param into vector as long as the range; overwritten
     * @param rows rows that a batch needs, in the order of the model's tables; empty for none
     * @return the version
     * @throws ShardGoneException once the life has ended
     */
    public long pull(String worker, float[] into, List<EmbeddingRows> rows) {
        requireLength(into);
        worker(worker).idle(false);
        int offset = range().offset();
        ParameterSink sink = (values, from, at, count) -> System.arraycopy(values, from, into, at - offset, count);
        WeightVersions base = new WeightVersions(range().index() + 1);
        shard.pull(sink, rows, base);
        return base.version(range().index());
    }

    /**
     * Begins a pull of weights that the caller may have copied already. Returns the version that {@link #pull} would
     * return now; the weights of a version never change within a life.
     *
     * @throws ShardGoneException once the life has ended
     */
    public long version(String worker) {
        worker(worker).idle(false);
        return shard.version();
    }

    /**
     * Accepts a gradient that the caller has checked to be finite. Waits while a cut is taken.
     *
     * <p>A duplicate push of this life's weights whose round is still open returns ACCUMULATED, so that its worker waits
     * for the round. The response to the first push was lost with its connection. ACCUMULATED and APPLIED thus imply
     * that this life holds the push and is the base.
     *
     * @param sequence sequence number of this push by the worker, the same at every shard
     * @param base life that the weights were pulled from; a gradient of another life's weights is STALE
     * @param version version that the weights were pulled at
     * @param gradient gradient as long as the range; read, never kept
     * @param rows rows with gradients, in the order of the model's tables; the shard uses its own; read, never kept
     * @throws ShardGoneException once the life has ended
     */
    public PushResult push(
            String worker,
            long sequence,
            long pushId,
            ShardLife base,
            long version,
            float[] gradient,
            List<EmbeddingRows> rows)
            throws InterruptedException {
        return push(worker, sequence, pushId, base, version, gradient, rows, false);
    }

    /**
     * Accepts a gradient as {@link #push(String, long, long, ShardLife, long, float[], List)} does, and can overwrite the
     * gradient's array with the new weights.
     *
     * @param thenWeights whether the array of an APPLIED gradient is overwritten with the updated weights
     */
    public PushResult push(
            String worker,
            long sequence,
            long pushId,
            ShardLife base,
            long version,
            float[] gradient,
            List<EmbeddingRows> rows,
            boolean thenWeights)
            throws InterruptedException {
        requireLength(gradient);
        worker(worker).idle(false);
        WeightVersions versions = new WeightVersions(range().index() + 1);
        versions.set(range().index(), base, version);
        PushResult result = shard.pushFinite(worker, sequence, pushId, versions, gradient, rows, thenWeights);
        return result.outcome() == PushResult.Outcome.DUPLICATE
                        && base.equals(life)
                        && shard.waits().isOpen(pushId)
                ? new PushResult(PushResult.Outcome.ACCUMULATED, result.version())
                : result;
    }

    private void requireLength(float[] vector) {
        if (vector.length != range().length()) {
            throw new IllegalArgumentException(
                    "a vector for " + range() + " must have " + range().length() + " floats, had " + vector.length);
        }
    }

    /** Begins to wait for the round that holds a push. The worker counts as waiting until the round has ended. */
    public RoundWait await(String worker, long pushId) {
        return RoundWait.begin(worker(worker), pushId, shard);
    }

    /**
     * Marks a worker as waiting for a round of another server, because this shard already has its push. No round of
     * this shard waits for the worker until its next pull or push.
     */
    public void idle(String worker) {
        worker(worker).idle(true);
        shard.recheck();
    }

    /** Returns the number of consecutive pushes, from the first one on, that the shard holds without a gap. */
    public int held(long firstPushId, int count) {
        requirePresent();
        return shard.held(firstPushId, count);
    }

    private RoundMember worker(String name) {
        requirePresent();
        return workers.computeIfAbsent(name, RoundMember::new);
    }

    // Requests of the server.

    /** Returns the number of the term that the shard follows. */
    public long term() {
        return fence.term();
    }

    /** Ends the life: waiting calls return, and every later call is refused. */
    public void retire() {
        ended = true;
        shard.retire();
    }

    private void requirePresent() {
        if (ended) {
            throw new ShardGoneException(range().name());
        }
    }

    // Requests of masters.

    private ParameterShard led(Term term) {
        requirePresent();
        fence.require(term);
        return shard;
    }

    @Override
    public ShardLife life() {
        return life;
    }

    /**
     * Runs an action once a master has set the members of rounds; at once if one has. A worker that pushes before would
     * make an update alone.
     */
    public void onMembers(Runnable action) {
        synchronized (ordering) {
            if (membersOf == null) {
                atMembers = action;
                return;
            }
        }
        action.run();
    }

    @Override
    public void members(Term term, long change, List<String> names) {
        Runnable action;
        synchronized (ordering) {
            led(term);
            if (term.equals(membersOf) && change < lastChange) {
                return;
            }
            membersOf = term;
            lastChange = change;
            Set<String> stay = Set.copyOf(names);
            for (String present : shard.members()) {
                if (!stay.contains(present)) {
                    leave(present);
                }
            }
            names.forEach(name -> shard.join(worker(name)));
            action = atMembers;
            atMembers = null;
        }
        if (action != null) {
            action.run();
        }
    }

    @Override
    public boolean member(Term term, long change, String name, boolean joins) {
        synchronized (ordering) {
            led(term);
            if (!term.equals(membersOf) || change > lastChange + 1) {
                return false;
            }
            if (change == lastChange + 1) {
                lastChange = change;
                if (joins) {
                    shard.join(worker(name));
                } else {
                    leave(name);
                }
            }
            return true;
        }
    }

    private void leave(String name) {
        shard.leave(name);
        workers.remove(name);
    }

    @Override
    public int held(Term term, long firstPushId, int count) {
        return led(term).held(firstPushId, count);
    }

    @Override
    public ShardPushes pushes(Term term) {
        return led(term).pushes();
    }

    @Override
    public long version(Term term) {
        return led(term).version();
    }

    @Override
    public void flush(Term term) {
        led(term).flush();
    }

    @Override
    public void prepareCut(Term term, long cut) {
        CutParticipant.SnapshotBuffer made = led(term).cuts().allocateSnapshotBuffer();
        synchronized (ordering) {
            snapshotBuffer = made;
            prepared = cut;
        }
    }

    @Override
    public Map<String, Long> beginCut(Term term, long cut) {
        boolean ready;
        synchronized (ordering) {
            ready = snapshotBuffer != null && prepared == cut;
        }
        if (!ready) {
            prepareCut(term, cut);
        }
        return led(term).cuts().hold(cut);
    }

    @Override
    public boolean flushCut(Term term, long cut, Map<String, Long> sequences, Duration bound)
            throws InterruptedException {
        return led(term).cuts().flushTo(cut, sequences, bound);
    }

    @Override
    public SnapshotTransfer saveCut(Term term, long cut) {
        CutParticipant participant = led(term).cuts();
        CutParticipant.SnapshotBuffer into;
        synchronized (ordering) {
            into = snapshotBuffer;
            snapshotBuffer = null;
        }
        ShardSnapshot copy = participant.save(cut, into == null ? participant.allocateSnapshotBuffer() : into);
        return () -> copy;
    }

    @Override
    public void endCut(Term term, long cut) {
        synchronized (ordering) {
            if (prepared == cut) {
                snapshotBuffer = null;
            }
        }
        led(term).cuts().go(cut);
    }

    @Override
    public Map<String, Long> taken(Term term) {
        return led(term).cuts().taken();
    }

    @Override
    public void follow(Term term, Map<String, Long> sequences) {
        led(term).cuts().follow(sequences);
    }

    @Override
    public void decide(Term term, DecisionRecord record) {
        requirePresent();
        boolean newest = fence.pass(term, () -> shard.decisions().keep(record));
        if (!newest) {
            throw new IllegalStateException(range().name() + " has a later decision than " + record);
        }
    }

    @Override
    public Optional<DecisionRecord> decided() {
        requirePresent();
        return shard.decisions().newest();
    }

    @Override
    public void pinEvery(Term term, int every, int keep, LongConsumer listener) {
        led(term).pins().every(every, keep, listener);
    }

    @Override
    public void dropFreePinsAbove(Term term, long version) {
        led(term).pins().dropFreeAbove(version);
    }

    @Override
    public NavigableSet<Long> pins(Term term) {
        return led(term).pins().versions();
    }

    @Override
    public void pinNow(Term term, long version) {
        led(term).pins().now(version);
    }

    @Override
    public boolean holdPin(Term term, long version) {
        return led(term).pins().hold(version);
    }

    @Override
    public void releasePin(Term term, long version) {
        led(term).pins().release(version);
    }

    @Override
    public boolean keepPin(Term term, long version) {
        return led(term).pins().keep(version);
    }

    @Override
    public void keepOnlyPin(Term term, long version) {
        led(term).pins().keepOnly(version);
    }

    @Override
    public boolean dropPin(Term term, long version) {
        return led(term).pins().drop(version);
    }

    @Override
    public Optional<PinnedShard> pinned(Term term, long version) {
        return led(term).pins().part(version);
    }

    /** Returns the text for people, for example {@code life 0 of term 1 of ps-1[320..650) at version 12, ...}. */
    @Override
    public String toString() {
        return life + " of " + shard;
    }
}
