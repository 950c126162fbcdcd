package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.internal.Args;
import dev.edl.runtime.wire.control.internal.BulkCalls;
import dev.edl.runtime.wire.control.internal.Orders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Does at a server what the master orders; an order may wait. Safe for several threads. */
final class OrderDesk {
    private final String name;
    private final Supplier<Optional<ShardPort>> shard;
    private final SnapshotBytes codec;

    /** Sends bytes that belong to an answer. */
    @FunctionalInterface
    interface Sender {
        /** Sends what a writer writes, once the answer has left. */
        void send(long upload, BulkCalls.Writer content);
    }

    /**
     * Makes a desk.
     *
     * @param name of the shard in messages, for example {@code ps-1}
     * @param shard that is in its place; empty without one
     */
    OrderDesk(String name, Supplier<Optional<ShardPort>> shard, SnapshotBytes codec) {
        this.name = name;
        this.shard = shard;
        this.codec = codec;
    }

    /** Returns the shard of the order, which is for one life of it. */
    private ShardPort shard(Args.Given given) {
        ShardPort present = shard.get().orElseThrow(() -> new ShardGoneException(name));
        if (!present.life().equals(given.value("life", ShardLife.class))) {
            throw new ShardGoneException(name);
        }
        return present;
    }

    /**
     * Does what an order says.
     *
     * @param pinned takes the versions that an order to pin leads to
     * @param sender sends what is too large for an answer
     * @return the answer
     */
    Object order(Args.Given given, LongConsumer pinned, Sender sender) throws InterruptedException {
        ShardPort port = shard(given);
        if (given.call().equals(Orders.DECIDED)) {
            return port.decided()
                    .map(record -> Args.of("record", Orders.Decision.of(record)))
                    .orElseGet(Args::none);
        }
        Term term = given.value("term", Term.class);
        return switch (given.call()) {
            case Orders.MEMBERS -> {
                port.members(term, List.of(given.value("workers", String[].class)));
                yield Args.none();
            }
            case Orders.HELD -> Args.of("held", port.held(term, given.number("first"), given.count("count")));
            case Orders.APPLIED -> {
                byte[] applied = port.applied(term, given.count("epoch")).toByteArray();
                sender.send(given.number("upload"), to -> to.write(applied));
                yield Args.of("sent", true);
            }
            case Orders.VERSION -> Args.of("version", port.version(term));
            case Orders.FLUSH -> {
                port.flush(term);
                yield Args.none();
            }
            case Orders.DECIDE -> {
                port.decide(term, given.value("record", Orders.Decision.class).record());
                yield Args.none();
            }
            case Orders.TAKEN -> sequences(port.taken(term));
            case Orders.FOLLOW -> {
                port.follow(term, given.value("sequences", Orders.Sequences.class));
                yield Args.none();
            }
            case Orders.BEGIN_CUT, Orders.FLUSH_CUT, Orders.SAVE_CUT, Orders.END_CUT -> cut(port, term, given, sender);
            default -> pin(port, term, given, pinned, sender);
        };
    }

    private static Args sequences(Map<String, Long> all) {
        return Args.of("sequences", new Orders.Sequences(all));
    }

    private Args cut(ShardPort port, Term term, Args.Given given, Sender sender) throws InterruptedException {
        long cut = given.number("cut");
        return switch (given.call()) {
            case Orders.BEGIN_CUT -> sequences(port.beginCut(term, cut));
            case Orders.FLUSH_CUT -> {
                Orders.Sequences upTo = given.value("sequences", Orders.Sequences.class);
                yield Args.of("whole", port.flushCut(term, cut, upTo, Duration.ofNanos(given.number("nanos"))));
            }
            case Orders.SAVE_CUT -> {
                ShardSnapshot state = port.saveCut(term, cut);
                sender.send(given.number("upload"), to -> codec.write(state, to));
                yield Args.of("sent", true);
            }
            default -> {
                port.endCut(term, cut);
                yield Args.none();
            }
        };
    }

    private Args pin(ShardPort port, Term term, Args.Given given, LongConsumer pinned, Sender sender)
            throws InterruptedException {
        return switch (given.call()) {
            case Orders.PIN_EVERY -> {
                port.pinEvery(term, given.count("every"), given.count("keep"), pinned);
                yield Args.none();
            }
            case Orders.DROP_FREE_PINS_ABOVE -> {
                port.dropFreePinsAbove(term, given.number("version"));
                yield Args.none();
            }
            case Orders.PINS -> Args.of("versions", port.pins(term));
            case Orders.PIN_NOW -> {
                port.pinNow(term, given.number("version"));
                yield Args.none();
            }
            case Orders.HOLD_PIN -> Args.of("pinned", port.holdPin(term, given.number("version")));
            case Orders.RELEASE_PIN -> {
                port.releasePin(term, given.number("version"));
                yield Args.none();
            }
            case Orders.KEEP_PIN -> Args.of("pinned", port.keepPin(term, given.number("version")));
            case Orders.KEEP_ONLY_PIN -> {
                port.keepOnlyPin(term, given.number("version"));
                yield Args.none();
            }
            case Orders.DROP_PIN -> Args.of("pinned", port.dropPin(term, given.number("version")));
            case Orders.PINNED -> {
                Optional<PinnedShard> kept = port.pinned(term, given.number("version"));
                kept.ifPresent(copy -> sender.send(given.number("upload"), to -> codec.write(copy, to)));
                yield Args.of("sent", kept.isPresent());
            }
            default -> throw new IllegalArgumentException("\"" + given.call() + "\" is no order to a shard");
        };
    }
}
