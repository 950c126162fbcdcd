package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterGone;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardOrder;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.wire.control.internal.Args;
import dev.edl.runtime.wire.control.internal.Calls;
import dev.edl.runtime.wire.control.internal.Failure;
import dev.edl.runtime.wire.control.internal.Lane;
import dev.edl.runtime.wire.control.internal.Message;
import dev.edl.runtime.wire.control.internal.Talk;
import dev.edl.runtime.wire.control.internal.Transfer;
import dev.edl.runtime.wire.control.internal.Uploads;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The master's side of one server: takes its registration, and gives it orders by {@link RemoteShard}. */
final class ServerDesk implements Desk {
    private final int index;
    private final RegistrationPort master;
    private final Visitor visitor;
    private final Talk talk;
    /** The requests of the servers of this index and the notifications of their watch, in order. */
    private final Lane lane;

    private final Executor calls;
    private final SnapshotBytes codec;
    private final ControlSettings settings;
    private final Shards shards;
    private final Uploads uploads = new Uploads();
    private volatile boolean closed;
    private volatile @Nullable SavedShard saved;
    private volatile @Nullable RemoteShard shard;

    /** Keeps what is known of the lives of each shard. All calls about one index come in order. */
    interface Shards {
        /** A life begins at a desk. */
        void registered(ServerDesk desk, ShardLife life);

        /**
         * A life is there.
         *
         * @throws ReplacedException when a later one has begun
         */
        void ready(ServerDesk desk, RemoteShard shard);

        /** The stream has closed. */
        void closed(ServerDesk desk);
    }

    ServerDesk(
            int index,
            RegistrationPort master,
            Visitor visitor,
            Lane lane,
            Executor calls,
            SnapshotBytes codec,
            ControlSettings settings,
            Shards shards) {
        this.index = index;
        this.master = master;
        this.visitor = visitor;
        this.talk = visitor.talk();
        this.lane = lane;
        this.calls = calls;
        this.codec = codec;
        this.settings = settings;
        this.shards = shards;
    }

    int index() {
        return index;
    }

    boolean isClosed() {
        return closed;
    }

    Lane lane() {
        return lane;
    }

    /** Returns the shard that is attached; null without one. */
    @Nullable
    RemoteShard shard() {
        return shard;
    }

    /** Ends the stream. */
    void leave() {
        closed = true;
        visitor.leave();
        uploads.close("the stream of ps-" + index + " has ended");
    }

    @Override
    public void closed(boolean inPeace) {
        closed = true;
        uploads.close("the stream of ps-" + index + " has ended");
        shards.closed(this);
    }

    @Override
    public void received(Message message) {
        switch (message.kind()) {
            case DONE, FAILED -> {
                talk.answered(message);
                visitor.handled();
            }
            case TELL -> {
                RemoteShard present = shard;
                long version = new Args.Given(message).number("version");
                if (present != null && message.name().equals(Calls.PINNED_NOW)) {
                    present.pinned(calls, version, visitor::handled);
                } else {
                    visitor.handled();
                }
            }
            case ASK -> lane.execute(calls, () -> answer(message));
        }
    }

    private void answer(Message message) {
        if (closed) {
            return;
        }
        try {
            talk.done(message.id(), call(new Args.Given(message)));
        } catch (RuntimeException failure) {
            talk.failed(message.id(), failure);
        } finally {
            visitor.handled();
        }
    }

    private Args call(Args.Given given) {
        return switch (given.call()) {
            case Calls.REGISTER -> {
                ShardOrder order = master.register(index);
                saved = order.saved();
                shards.registered(this, order.life());
                Args answer = Args.of("term", order.term())
                        .and("life", order.life())
                        .and("minibatchesPerEpoch", order.minibatchesPerEpoch());
                yield order.saved() == null
                        ? answer
                        : answer.and("saved", order.saved().toString());
            }
            case Calls.READY -> {
                ShardLife life = given.value("life", ShardLife.class);
                RemoteShard port = new RemoteShard("ps-" + index, life, talk, uploads, codec, settings);
                shards.ready(this, port);
                master.ready(index, life);
                yield Args.none();
            }
            default -> throw new IllegalArgumentException("\"" + given.call() + "\" is no call of a server");
        };
    }

    /** The shard takes its place; what the server pins reaches its listener from now on. */
    void attach(RemoteShard port) {
        shard = port;
    }

    @Override
    public void download(Message request, Transfer to) throws IOException {
        SavedShard state = saved;
        ShardSnapshot snapshot;
        try {
            if (state == null) {
                throw new IllegalStateException("ps-" + index + " has nothing to restore");
            }
            snapshot = state.read();
        } catch (RuntimeException | IOException failure) {
            to.send(Message.failed(0, Failure.of(failure)));
            return;
        }
        to.send(Message.done(0, Args.none()));
        codec.write(snapshot, to.out());
    }

    @Override
    public Object upload(Message request, InputStream in) throws IOException {
        if (closed) {
            throw new MasterGone();
        }
        uploads.received(new Args.Given(request).number("id"), in);
        return Args.none();
    }
}
