package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import java.nio.FloatBuffer;

/** What a worker asks of a parameter server, by the data plane. All but {@link Idle} are answered. */
public sealed interface WorkerToShard extends Message {
    /** Returns the life of the shard that the worker knows of; the shard answers GONE when it has another one. */
    ShardLife life();

    /** Returns the worker's number of the request; of a push it is the sequence, the same at every shard. */
    long request();

    /** Asks for the weights of the shard's range. */
    record Pull(ShardLife life, long request) implements WorkerToShard {}

    /**
     * Gives a gradient. In synchronous training the answer is sent when the round of the push is over.
     *
     * @param request the sequence; a repeated push has the one of the first try
     * @param pushId the same at every try of a minibatch
     * @param version of the life that the gradient was computed from
     * @param gradient of the shard's range only; read, never kept
     */
    record Push(ShardLife life, long request, long pushId, long version, FloatBuffer gradient)
            implements WorkerToShard {}

    /** Asks how many of some consecutive pushes the shard holds, up to the first that it does not. */
    record Held(ShardLife life, long request, long firstPushId, int count) implements WorkerToShard {}

    /**
     * Says that the worker waits for another shard: no round of this one may wait for it. Its next push ends that.
     *
     * @param request the sequence of the push that another shard has not answered
     */
    record Idle(ShardLife life, long request) implements WorkerToShard {}
}
