package dev.edl.runtime.engine.internal;

import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.WeightVersions;
import java.util.Arrays;
import java.util.List;

/**
 * Lives of the shards that took all pushes of a worker's current task. Not safe for several threads.
 *
 * <p>If these lives are also the shards' lives at the master, every shard holds every push of the task:
 * <ul>
 * <li>A life answers APPLIED or ACCUMULATED only to a gradient of its own weights. It then holds the push until it
 * ends, and a life that has ended never comes back.
 * <li>Any life, even of a server that the master has replaced, may answer DUPLICATE, regardless of the gradient's base. This
 * answer counts only behind one of the two others to the same push, whose life holds it.
 * <li>The worker repeats a push that was STALE before it ends the task.
 * </ul>
 */
public final class TaskShardLives {
    private static final long NONE = -1;

    /** By shard index: the life that took all pushes, once it has taken one. */
    private final ShardLife[] lives;
    /** By shard index: id of the last push that this life took from this worker; {@link #NONE} before the first. */
    private final long[] taken;

    private boolean unknown;

    /** Creates an object without a task. */
    public TaskShardLives(int shards) {
        this.lives = new ShardLife[shards];
        this.taken = new long[shards];
        Arrays.fill(lives, ShardLife.UNORDERED);
        begin(false);
    }

    /**
     * Begins a task.
     *
     * @param whole whether the worker makes all pushes of the task; false if it resumes the task behind earlier pushes
     */
    public void begin(boolean whole) {
        unknown = !whole;
        Arrays.fill(taken, NONE);
    }

    /**
     * Records the shards' answers to a push of the task.
     *
     * @param base lives of the weights that the push is based on
     * @param answers one answer of each shard
     */
    public void pushed(long pushId, WeightVersions base, List<PushResult> answers) {
        for (int i = 0; i < lives.length; i++) {
            switch (answers.get(i).outcome()) {
                case APPLIED, ACCUMULATED -> {
                    unknown |= taken[i] != NONE && !lives[i].equals(base.life(i));
                    lives[i] = base.life(i);
                    taken[i] = pushId;
                }
                case DUPLICATE -> unknown |= taken[i] != pushId;
                case STALE -> {
                    // The shard holds nothing of it; the worker pushes again.
                }
            }
        }
    }

    /**
     * Returns the fingerprint of the lives that took all pushes; {@link ShardLife#UNKNOWN_LIVES} if a life changed in
     * between, or if another worker may have made some pushes.
     */
    public long fingerprint() {
        return unknown || Arrays.stream(taken).anyMatch(id -> id == NONE)
                ? ShardLife.UNKNOWN_LIVES
                : ShardLife.fingerprint(List.of(lives));
    }
}
