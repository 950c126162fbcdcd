package dev.edl.runtime.wire.control;

import dev.edl.runtime.ps.PinnedShard;
import dev.edl.runtime.ps.ShardGoneException;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardPushes;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.internal.BulkTransferClient;
import dev.edl.runtime.wire.control.internal.MessageArguments;
import dev.edl.runtime.wire.control.internal.ShardRequestNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Runs the master's requests at a server. A request may wait. Safe for several threads. */
final class ShardRequestHandler {
    private final String name;
    private final Supplier<Optional<ShardPort>> shard;
    private final SnapshotBytes codec;

    /** Sender of content that belongs to a response. */
    @FunctionalInterface
    interface Sender {
        /** Sends the writer's output over a bulk connection after the response. */
        void send(long upload, BulkTransferClient.Writer content);
    }

    /**
     * Makes a handler.
     *
     * @param name name of the shard in messages, for example {@code ps-1}
     * @param shard supplies the placed shard; empty if there is none
     */
    ShardRequestHandler(String name, Supplier<Optional<ShardPort>> shard, SnapshotBytes codec) {
        this.name = name;
        this.shard = shard;
        this.codec = codec;
    }

    /** Returns the placed shard; throws if it no longer has the life that the request names. */
    private ShardPort shard(MessageArguments.Given given) {
        ShardPort present = shard.get().orElseThrow(() -> new ShardGoneException(name));
        if (!present.life().equals(given.value("life", ShardLife.class))) {
            throw new ShardGoneException(name);
        }
        return present;
    }

    /**
     * Runs a request.
     *
     * @param pinned receives the versions that a pin request leads to
     * @param sender sends content that is too large for a response
     * @return the response
     */
    Object order(MessageArguments.Given given, LongConsumer pinned, Sender sender) throws InterruptedException {
        ShardPort port = shard(given);
        if (given.call().equals(ShardRequestNames.DECIDED)) {
            return port.decided()
                    .map(record -> MessageArguments.of("record", ShardRequestNames.Decision.of(record)))
                    .orElseGet(MessageArguments::none);
        }
        Term term = given.value("term", Term.class);
        return switch (given.call()) {
            case ShardRequestNames.MEMBERS -> {
                port.members(term, given.number("change"), List.of(given.value("workers", String[].class)));
                yield MessageArguments.none();
            }
            case ShardRequestNames.MEMBER ->
                MessageArguments.of(
                        "known", port.member(term, given.number("change"), given.text("worker"), given.flag("joins")));
            case ShardRequestNames.HELD ->
                MessageArguments.of("held", port.held(term, given.number("first"), given.count("count")));
            case ShardRequestNames.PUSHES -> {
                ShardPushes pushes = port.pushes(term);
                sender.send(given.number("upload"), to -> codec.write(pushes, to));
                yield MessageArguments.of("sent", true);
            }
            case ShardRequestNames.VERSION -> MessageArguments.of("version", port.version(term));
            case ShardRequestNames.FLUSH -> {
                port.flush(term);
                yield MessageArguments.none();
            }
            case ShardRequestNames.DECIDE -> {
                port.decide(
                        term,
                        given.value("record", ShardRequestNames.Decision.class).record());
                yield MessageArguments.none();
            }
            case ShardRequestNames.TAKEN -> sequences(port.taken(term));
            case ShardRequestNames.FOLLOW -> {
                port.follow(term, given.value("sequences", ShardRequestNames.Sequences.class));
                yield MessageArguments.none();
            }
            case ShardRequestNames.BEGIN_CUT,
                    ShardRequestNames.FLUSH_CUT,
                    ShardRequestNames.SAVE_CUT,
                    ShardRequestNames.END_CUT -> cut(port, term, given, sender);
            default -> pin(port, term, given, pinned, sender);
        };
    }

    private static MessageArguments sequences(Map<String, Long> all) {
        return MessageArguments.of("sequences", new ShardRequestNames.Sequences(all));
    }

    private MessageArguments cut(ShardPort port, Term term, MessageArguments.Given given, Sender sender)
            throws InterruptedException {
        long cut = given.number("cut");
        return switch (given.call()) {
            case ShardRequestNames.BEGIN_CUT -> sequences(port.beginCut(term, cut));
            case ShardRequestNames.FLUSH_CUT -> {
                ShardRequestNames.Sequences upTo = given.value("sequences", ShardRequestNames.Sequences.class);
                yield MessageArguments.of(
                        "whole", port.flushCut(term, cut, upTo, Duration.ofNanos(given.number("nanos"))));
            }
            case ShardRequestNames.SAVE_CUT -> {
                ShardSnapshot state = port.saveCut(term, cut).await();
                sender.send(given.number("upload"), to -> codec.write(state, to));
                yield MessageArguments.of("sent", true);
            }
            default -> {
                port.endCut(term, cut);
                yield MessageArguments.none();
            }
        };
    }

    private MessageArguments pin(
            ShardPort port, Term term, MessageArguments.Given given, LongConsumer pinned, Sender sender)
            throws InterruptedException {
        return switch (given.call()) {
            case ShardRequestNames.PIN_EVERY -> {
                port.pinEvery(term, given.count("every"), given.count("keep"), pinned);
                yield MessageArguments.none();
            }
            case ShardRequestNames.DROP_FREE_PINS_ABOVE -> {
                port.dropFreePinsAbove(term, given.number("version"));
                yield MessageArguments.none();
            }
            case ShardRequestNames.PINS -> MessageArguments.of("versions", port.pins(term));
            case ShardRequestNames.PIN_NOW -> {
                port.pinNow(term, given.number("version"));
                yield MessageArguments.none();
            }
            case ShardRequestNames.HOLD_PIN ->
                MessageArguments.of("pinned", port.holdPin(term, given.number("version")));
            case ShardRequestNames.RELEASE_PIN -> {
                port.releasePin(term, given.number("version"));
                yield MessageArguments.none();
            }
            case ShardRequestNames.KEEP_PIN ->
                MessageArguments.of("pinned", port.keepPin(term, given.number("version")));
            case ShardRequestNames.KEEP_ONLY_PIN -> {
                port.keepOnlyPin(term, given.number("version"));
                yield MessageArguments.none();
            }
            case ShardRequestNames.DROP_PIN ->
                MessageArguments.of("pinned", port.dropPin(term, given.number("version")));
            case ShardRequestNames.PINNED -> {
                Optional<PinnedShard> kept = port.pinned(term, given.number("version"));
                kept.ifPresent(copy -> sender.send(given.number("upload"), to -> codec.write(copy, to)));
                yield MessageArguments.of("sent", kept.isPresent());
            }
            default -> throw new IllegalArgumentException("\"" + given.call() + "\" is not a request to a shard");
        };
    }
}
