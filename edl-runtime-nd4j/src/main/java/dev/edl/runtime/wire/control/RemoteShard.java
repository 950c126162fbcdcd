package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.internal.Args;
import dev.edl.runtime.wire.control.internal.Failure;
import dev.edl.runtime.wire.control.internal.Json;
import dev.edl.runtime.wire.control.internal.Lane;
import dev.edl.runtime.wire.control.internal.Orders;
import dev.edl.runtime.wire.control.internal.Talk;
import dev.edl.runtime.wire.control.internal.Uploads;
import java.io.InputStream;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A master's end of a life of a shard whose server has a stream to the master. */
final class RemoteShard implements ShardPort {
    private final String name;
    private final ShardLife life;
    private final Talk talk;
    private final Uploads uploads;
    private final SnapshotBytes codec;
    private final ControlSettings settings;
    /** The notifications of pinned versions, in order. */
    private final Lane pinned = new Lane();

    private volatile @Nullable LongConsumer listener;

    RemoteShard(
            String name, ShardLife life, Talk talk, Uploads uploads, SnapshotBytes codec, ControlSettings settings) {
        this.name = name;
        this.life = life;
        this.talk = talk;
        this.uploads = uploads;
        this.codec = codec;
        this.settings = settings;
    }

    @Override
    public ShardLife life() {
        return life;
    }

    private JsonNode order(String call, Args args) throws InterruptedException {
        return order(call, args, settings.request());
    }

    private JsonNode order(String call, Args args, Duration bound) throws InterruptedException {
        try {
            return talk.ask(call, args.and("life", life), bound);
        } catch (Talk.Closed away) {
            throw new ShardGoneException(name);
        } catch (Failure.Answered failure) {
            throw failure.failure().exception(name);
        }
    }

    /** Gives an order whose answer is sent beside the stream; empty when there is none. */
    private <T> Optional<T> fetch(String call, Args args, Uploads.Reader<T> reader) throws InterruptedException {
        Uploads.Expected<T> expected = uploads.expect(reader);
        try {
            JsonNode answer = order(call, args.and("upload", expected.id()));
            return answer.path("sent").booleanValue()
                    ? Optional.of(uploads.await(name + " " + call, expected, settings.chunk()))
                    : Optional.empty();
        } catch (Talk.Closed away) {
            throw new ShardGoneException(name);
        } finally {
            uploads.drop(expected);
        }
    }

    private static Args of(Term term) {
        return Args.of("term", term);
    }

    @Override
    public void members(Term term, List<String> workers) throws InterruptedException {
        order(Orders.MEMBERS, of(term).and("workers", workers));
    }

    @Override
    public int held(Term term, long firstPushId, int count) throws InterruptedException {
        return order(Orders.HELD, of(term).and("first", firstPushId).and("count", count))
                .path("held")
                .intValue();
    }

    @Override
    public BitSet applied(Term term, int epoch) throws InterruptedException {
        return fetch(Orders.APPLIED, of(term).and("epoch", epoch), InputStream::readAllBytes)
                .map(BitSet::valueOf)
                .orElseThrow();
    }

    @Override
    public long version(Term term) throws InterruptedException {
        return order(Orders.VERSION, of(term)).path("version").longValue();
    }

    @Override
    public void flush(Term term) throws InterruptedException {
        order(Orders.FLUSH, of(term));
    }

    private static Args of(Term term, long cut) {
        return of(term).and("cut", cut);
    }

    private static Map<String, Long> sequences(JsonNode answer) {
        return Json.value(answer.path("sequences"), Orders.Sequences.class);
    }

    @Override
    public Map<String, Long> beginCut(Term term, long cut) throws InterruptedException {
        return sequences(order(Orders.BEGIN_CUT, of(term, cut)));
    }

    @Override
    public boolean flushCut(Term term, long cut, Map<String, Long> sequences, Duration bound)
            throws InterruptedException {
        Args args =
                of(term, cut).and("sequences", new Orders.Sequences(sequences)).and("nanos", bound.toNanos());
        return order(Orders.FLUSH_CUT, args, settings.request().plus(bound))
                .path("whole")
                .booleanValue();
    }

    @Override
    public ShardSnapshot saveCut(Term term, long cut) throws InterruptedException {
        return fetch(Orders.SAVE_CUT, of(term, cut), codec::readShard).orElseThrow();
    }

    @Override
    public void endCut(Term term, long cut) throws InterruptedException {
        order(Orders.END_CUT, of(term, cut));
    }

    @Override
    public Map<String, Long> taken(Term term) throws InterruptedException {
        return sequences(order(Orders.TAKEN, of(term)));
    }

    @Override
    public void follow(Term term, Map<String, Long> sequences) throws InterruptedException {
        order(Orders.FOLLOW, of(term).and("sequences", new Orders.Sequences(sequences)));
    }

    @Override
    public void decide(Term term, DecisionRecord record) throws InterruptedException {
        order(Orders.DECIDE, of(term).and("record", Orders.Decision.of(record)));
    }

    @Override
    public Optional<DecisionRecord> decided() throws InterruptedException {
        JsonNode answer = order(Orders.DECIDED, Args.none());
        return answer.hasNonNull("record")
                ? Optional.of(
                        Json.value(answer.path("record"), Orders.Decision.class).record())
                : Optional.empty();
    }

    @Override
    public void pinEvery(Term term, int every, int keep, LongConsumer hears) throws InterruptedException {
        // Before the order: a version may be pinned before the answer comes.
        listener = hears;
        order(Orders.PIN_EVERY, of(term).and("every", every).and("keep", keep));
    }

    /** The shard has pinned a version. */
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
        pin(Orders.DROP_FREE_PINS_ABOVE, term, version);
    }

    @Override
    public NavigableSet<Long> pins(Term term) throws InterruptedException {
        return new TreeSet<>(List.of(Json.value(order(Orders.PINS, of(term)).path("versions"), Long[].class)));
    }

    @Override
    public void pinNow(Term term, long version) throws InterruptedException {
        pin(Orders.PIN_NOW, term, version);
    }

    @Override
    public boolean holdPin(Term term, long version) throws InterruptedException {
        return isPinned(Orders.HOLD_PIN, term, version);
    }

    @Override
    public void releasePin(Term term, long version) throws InterruptedException {
        pin(Orders.RELEASE_PIN, term, version);
    }

    @Override
    public boolean keepPin(Term term, long version) throws InterruptedException {
        return isPinned(Orders.KEEP_PIN, term, version);
    }

    @Override
    public void keepOnlyPin(Term term, long version) throws InterruptedException {
        pin(Orders.KEEP_ONLY_PIN, term, version);
    }

    @Override
    public boolean dropPin(Term term, long version) throws InterruptedException {
        return isPinned(Orders.DROP_PIN, term, version);
    }

    @Override
    public Optional<PinnedShard> pinned(Term term, long version) throws InterruptedException {
        return fetch(Orders.PINNED, of(term).and("version", version), codec::readPinned);
    }

    /** Returns the text for people, for example {@code life 2 of term 1 of ps-1}. */
    @Override
    public String toString() {
        return life + " of " + name;
    }
}
