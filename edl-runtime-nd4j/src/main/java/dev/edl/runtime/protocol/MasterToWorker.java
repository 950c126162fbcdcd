package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Task;
import java.util.List;

/** What a master says to a worker. */
public sealed interface MasterToWorker extends Message {
    /**
     * Says which lives the shards have; sent at the hello, and when one changes.
     *
     * @param term of the master
     * @param lives one for each shard; {@link ShardLife#UNORDERED} for an absent one
     */
    record View(Term term, List<ShardLife> lives) implements MasterToWorker {
        /** Copies the list. */
        public View {
            lives = List.copyOf(lives);
        }
    }

    /**
     * Answers the hello, behind a view.
     *
     * @param kept whether the task that the worker holds stays with it; otherwise it drops that task
     */
    record Welcome(boolean kept) implements MasterToWorker {}

    /** Hands out a task. */
    record Given(long request, Task task) implements MasterToWorker {}

    /** Has no task now; the worker asks again a little later. */
    record Wait(long request) implements MasterToWorker {}

    /** Has no task any more: the result is written. */
    record Leave(long request) implements MasterToWorker {}

    /**
     * Answers a report; the worker asks for a task then.
     *
     * @param accepted whether the task is complete; otherwise it is handed out again
     */
    record Reported(long request, boolean accepted) implements MasterToWorker {}

    /** Takes a task away, since its lease has run out. */
    record Taken(Task task) implements MasterToWorker {}
}
