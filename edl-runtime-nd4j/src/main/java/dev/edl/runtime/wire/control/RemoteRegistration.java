package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.engine.ports.MasterGone;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardOrder;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.wire.control.internal.Args;
import dev.edl.runtime.wire.control.internal.BulkCalls;
import dev.edl.runtime.wire.control.internal.Calls;
import dev.edl.runtime.wire.control.internal.Failure;
import dev.edl.runtime.wire.control.internal.Json;
import dev.edl.runtime.wire.control.internal.Talk;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One parameter server's end of a master in another process. */
final class RemoteRegistration implements RegistrationPort {
    private final int index;
    private final Talk talk;
    private final BulkCalls bulk;
    private final SnapshotBytes codec;
    private final Duration bound;

    RemoteRegistration(Caller caller, Talk talk, BulkCalls bulk) {
        this.index = caller.hello().index();
        this.talk = talk;
        this.bulk = bulk;
        this.codec = caller.codec();
        this.bound = caller.settings().request();
    }

    private JsonNode ask(String call, Args args) {
        try {
            return talk.ask(call, args, bound);
        } catch (Talk.Closed gone) {
            throw new MasterGone();
        } catch (Failure.Answered failure) {
            throw failure.failure().exception("ps-" + index);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MasterGone();
        }
    }

    private void require(int shard) {
        if (shard != index) {
            throw new IllegalArgumentException("the server of ps-" + index + " cannot register ps-" + shard);
        }
    }

    /** An order in a message. */
    record Order(
            Term term,
            ShardLife life,
            int minibatchesPerEpoch,
            @Nullable String saved) {}

    @Override
    public ShardOrder register(int shard) {
        require(shard);
        Order order = Json.value(ask(Calls.REGISTER, Args.none()), Order.class);
        String saved = order.saved();
        return new ShardOrder(
                order.term(), order.life(), order.minibatchesPerEpoch(), saved == null ? null : new Saved(saved));
    }

    @Override
    public void ready(int shard, ShardLife life) {
        require(shard);
        ask(Calls.READY, Args.of("life", life));
    }

    /** A state that the master has or can read. */
    private final class Saved implements SavedShard {
        private final String text;

        private Saved(String text) {
            this.text = text;
        }

        @Override
        public ShardSnapshot read() throws IOException {
            try {
                return bulk.download(Calls.SAVED, Args.none(), (head, from) -> codec.readShard(from));
            } catch (Failure.Answered failure) {
                throw new IOException(text + " of ps-" + index + ": " + failure.getMessage(), failure);
            } catch (IOException away) {
                if (talk.isClosed()) {
                    throw new MasterGone();
                }
                throw away;
            }
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Returns the text for people, for example {@code the master of ps-1}. */
    @Override
    public String toString() {
        return "the master of ps-" + index;
    }
}
