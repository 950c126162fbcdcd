package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import java.nio.FloatBuffer;

/** What a parameter server answers a worker. */
public sealed interface ShardToWorker extends Message {
    /** Returns the number of the request that this answers. */
    long request();

    /** Returns the life of the shard that answers; {@link ShardLife#UNORDERED} before its first order. */
    ShardLife life();

    /** Answers a pull with the weights of one version. */
    record Values(ShardLife life, long request, long version, FloatBuffer values) implements ShardToWorker {}

    /** Answers a push. */
    record Result(ShardLife life, long request, PushResult.Outcome outcome, long version) implements ShardToWorker {}

    /** Answers how many pushes are held. */
    record Count(ShardLife life, long request, int held) implements ShardToWorker {}

    /** Refuses a request to another life. The worker waits for a view that has this one. */
    record Gone(ShardLife life, long request) implements ShardToWorker {}

    /** Refuses a gradient with NaN or an infinity; nothing was applied, and no repetition helps. */
    record NotFinite(ShardLife life, long request) implements ShardToWorker {}
}
