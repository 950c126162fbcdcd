package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardSnapshot;
import dev.edl.runtime.task.Task;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/** Something that a machine wants its process to do. None of it is awaited: an {@link Event} says when it is done. */
public sealed interface Effect {
    /** Sends a message; on a link of this process that is new, connects first. */
    record Send(Link link, Message message) implements Effect {}

    /** Closes a connection; no event follows. */
    record Close(Link link) implements Effect {}

    /**
     * Computes the gradient of a minibatch; {@link Event.Computed} follows. A newer one takes the place of one that is under way.
     *
     * @param number of the computation
     * @param minibatch of the task, from 0
     * @param parameters of the whole model
     */
    record Compute(long number, Task task, int minibatch, FloatBuffer parameters) implements Effect {}

    /** Writes this server's part of a cut, with a seal; {@link Event.Written} follows. Repeats what fails. */
    record Write(CutId cut, ShardSnapshot state) implements Effect {}

    /**
     * Reads this server's part of a cut; {@link Event.Loaded} follows.
     *
     * @param number of the order; a newer one takes the place of one that is under way
     * @param cut null for the initial values
     */
    record Load(long number, @Nullable CutId cut) implements Effect {}

    /**
     * Writes the manifest that makes a cut a checkpoint; {@link Event.Committed} follows.
     *
     * @param exact whether all parts hold the same pushes
     * @param last whether the training is complete, so that this is the result
     */
    record Commit(CutId cut, boolean exact, boolean last) implements Effect {}

    /** Ends the process. */
    record End(int code, String reason) implements Effect {}
}
