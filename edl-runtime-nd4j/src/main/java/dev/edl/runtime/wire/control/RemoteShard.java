package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.SnapshotTransfer;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.internal.MessageArguments;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.PendingUploads;
import dev.edl.runtime.wire.control.internal.RemoteFailure;
import dev.edl.runtime.wire.control.internal.RpcPeer;
import dev.edl.runtime.wire.control.internal.SerialExecutor;
import dev.edl.runtime.wire.control.internal.ShardRequestNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The master's port to one life of a shard, whose server is connected to the master. */
final class RemoteShard implements ShardPort {
    private final String name;
    private final ShardLife life;
    private final RpcPeer peer;
    private final PendingUploads uploads;
    private final SnapshotBytes codec;
    private final ControlSettings settings;
    /** Runs the notifications of pinned versions one at a time, in order of arrival. */
    private final SerialExecutor pinned = new SerialExecutor();

    private volatile @Nullable LongConsumer listener;

    RemoteShard(
            String name,
            ShardLife life,
            RpcPeer peer,
            PendingUploads uploads,
            SnapshotBytes codec,
            ControlSettings settings) {
        this.name = name;
        this.life = life;
        this.peer = peer;
        this.uploads = uploads;
        this.codec = codec;
        this.settings = settings;
    }

    @Override
    public ShardLife life() {
        return life;
    }

    private JsonNode order(String call, MessageArguments args) throws InterruptedException {
        return order(call, args, settings.request());
    }

    private JsonNode order(String call, MessageArguments args, Duration bound) throws InterruptedException {
        try {
            return peer.request(call, args.and("life", life), bound);
        } catch (RpcPeer.PeerClosedException away) {
            throw new ShardGoneException(name);
        } catch (RemoteFailure.Answered failure) {
            throw failure.failure().exception(name);
        }
    }

    /**
     * Sends a request, and reads its result from a bulk connection. Returns empty if the server has no such content.
     */
    private <T> Optional<T> fetch(String call, MessageArguments args, PendingUploads.Reader<T> reader)
            throws InterruptedException {
        Optional<PendingUploads.Expected<T>> begun = begin(call, args, reader);
        return begun.isPresent() ? Optional.of(await(call, begun.get())) : Optional.empty();
    }

    /** Sends a request, and returns the upload of its result. Returns empty if the server has no such content. */
    private <T> Optional<PendingUploads.Expected<T>> begin(
            String call, MessageArguments args, PendingUploads.Reader<T> reader) throws InterruptedException {
        PendingUploads.Expected<T> expected = uploads.expect(reader);
        boolean sent = false;
        try {
            sent = order(call, args.and("upload", expected.id())).path("sent").booleanValue();
            return sent ? Optional.of(expected) : Optional.empty();
        } finally {
            if (!sent) {
                uploads.drop(expected);
            }
        }
    }

    /**
     * Waits for an upload. If it fails, the connection ends, because the caller detaches the shard: the server then
     * connects again and reports its life.
     */
    private <T> T await(String call, PendingUploads.Expected<T> expected) throws InterruptedException {
        try {
            return uploads.await(name + " " + call, expected, settings.chunk());
        } catch (RpcPeer.PeerClosedException away) {
            peer.end(String.valueOf(away.getMessage()));
            throw new ShardGoneException(name);
        } finally {
            uploads.drop(expected);
        }
    }

    private static MessageArguments of(Term term) {
        return MessageArguments.of("term", term);
    }

    @Override
    public void members(Term term, long change, List<String> workers) throws InterruptedException {
        order(ShardRequestNames.MEMBERS, of(term).and("change", change).and("workers", workers));
    }

    @Override
    public boolean member(Term term, long change, String worker, boolean joins) throws InterruptedException {
        MessageArguments args =
                of(term).and("change", change).and("worker", worker).and("joins", joins);
        return order(ShardRequestNames.MEMBER, args).path("known").booleanValue();
    }

    @Override
    public int held(Term term, long firstPushId, int count) throws InterruptedException {
        return order(ShardRequestNames.HELD, of(term).and("first", firstPushId).and("count", count))
                .path("held")
                .intValue();
    }

    @Override
    public ShardPushes pushes(Term term) throws InterruptedException {
        return fetch(ShardRequestNames.PUSHES, of(term), codec::readPushes).orElseThrow();
    }

    @Override
    public long version(Term term) throws InterruptedException {
        return order(ShardRequestNames.VERSION, of(term)).path("version").longValue();
    }

    @Override
    public void flush(Term term) throws InterruptedException {
        order(ShardRequestNames.FLUSH, of(term));
    }

    private static MessageArguments of(Term term, long cut) {
        return of(term).and("cut", cut);
    }

    private static Map<String, Long> sequences(JsonNode answer) {
        return MessageJson.value(answer.path("sequences"), ShardRequestNames.Sequences.class);
    }

    @Override
    public Map<String, Long> beginCut(Term term, long cut) throws InterruptedException {
        return sequences(order(ShardRequestNames.BEGIN_CUT, of(term, cut)));
    }

    @Override
    public boolean flushCut(Term term, long cut, Map<String, Long> sequences, Duration bound)
            throws InterruptedException {
        MessageArguments args = of(term, cut)
                .and("sequences", new ShardRequestNames.Sequences(sequences))
                .and("nanos", bound.toNanos());
        return order(ShardRequestNames.FLUSH_CUT, args, settings.request().plus(bound))
                .path("whole")
                .booleanValue();
    }

    @Override
    public SnapshotTransfer saveCut(Term term, long cut) throws InterruptedException {
        PendingUploads.Expected<ShardSnapshot> copy = begin(ShardRequestNames.SAVE_CUT, of(term, cut), codec::readShard)
                .orElseThrow();
        return new SnapshotTransfer() {
            @Override
            public ShardSnapshot await() throws InterruptedException {
                return RemoteShard.this.await(ShardRequestNames.SAVE_CUT, copy);
            }

            @Override
            public void close() {
                uploads.drop(copy);
            }
        };
    }

    @Override
    public void endCut(Term term, long cut) throws InterruptedException {
        order(ShardRequestNames.END_CUT, of(term, cut));
    }

    @Override
    public Map<String, Long> taken(Term term) throws InterruptedException {
        return sequences(order(ShardRequestNames.TAKEN, of(term)));
    }

    @Override
    public void follow(Term term, Map<String, Long> sequences) throws InterruptedException {
        order(ShardRequestNames.FOLLOW, of(term).and("sequences", new ShardRequestNames.Sequences(sequences)));
    }

    @Override
    public void decide(Term term, DecisionRecord record) throws InterruptedException {
        order(ShardRequestNames.DECIDE, of(term).and("record", ShardRequestNames.Decision.of(record)));
    }

    @Override
    public Optional<DecisionRecord> decided() throws InterruptedException {
        JsonNode answer = order(ShardRequestNames.DECIDED, MessageArguments.none());
        return answer.hasNonNull("record")
                ? Optional.of(MessageJson.value(answer.path("record"), ShardRequestNames.Decision.class)
                        .record())
                : Optional.empty();
    }

    @Override
    public void pinEvery(Term term, int every, int keep, LongConsumer hears) throws InterruptedException {
        // Set before the request, because a version may be pinned before the response arrives.
        listener = hears;
        order(ShardRequestNames.PIN_EVERY, of(term).and("every", every).and("keep", keep));
    }

    /** Notifies the listener of pinned versions, on one of these threads, that the shard has pinned a version. */
    void pinned(Executor threads, long version, Runnable handled) {
        pinned.execute(threads, () -> {
            try {
                LongConsumer hears = listener;
                if (hears != null) {
                    hears.accept(version);
                }
            } finally {
                handled.run();
            }
        });
    }

    private JsonNode pin(String call, Term term, long version) throws InterruptedException {
        return order(call, of(term).and("version", version));
    }

    private boolean isPinned(String call, Term term, long version) throws InterruptedException {
        return pin(call, term, version).path("pinned").booleanValue();
    }

    @Override
    public void dropFreePinsAbove(Term term, long version) throws InterruptedException {
        pin(ShardRequestNames.DROP_FREE_PINS_ABOVE, term, version);
    }

    @Override
    public NavigableSet<Long> pins(Term term) throws InterruptedException {
        return new TreeSet<>(List.of(
                MessageJson.value(order(ShardRequestNames.PINS, of(term)).path("versions"), Long[].class)));
    }

    @Override
    public void pinNow(Term term, long version) throws InterruptedException {
        pin(ShardRequestNames.PIN_NOW, term, version);
    }

    @Override
    public boolean holdPin(Term term, long version) throws InterruptedException {
        return isPinned(ShardRequestNames.HOLD_PIN, term, version);
    }

    @Override
    public void releasePin(Term term, long version) throws InterruptedException {
        pin(ShardRequestNames.RELEASE_PIN, term, version);
    }

    @Override
    public boolean keepPin(Term term, long version) throws InterruptedException {
        return isPinned(ShardRequestNames.KEEP_PIN, term, version);
    }

    @Override
    public void keepOnlyPin(Term term, long version) throws InterruptedException {
        pin(ShardRequestNames.KEEP_ONLY_PIN, term, version);
    }

    @Override
    public boolean dropPin(Term term, long version) throws InterruptedException {
        return isPinned(ShardRequestNames.DROP_PIN, term, version);
    }

    @Override
    public Optional<PinnedShard> pinned(Term term, long version) throws InterruptedException {
        return fetch(ShardRequestNames.PINNED, of(term).and("version", version), codec::readPinned);
    }

    /** Returns the text for people, for example {@code life 2 of term 1 of ps-1}. */
    @Override
    public String toString() {
        return life + " of " + name;
    }
}
