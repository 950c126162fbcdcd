package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardSnapshot;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/** Something that a machine hears of. */
public sealed interface Event {
    /** The time has come that the machine asked for, or the process has begun. */
    record Tick() implements Event {}

    /** A message came. */
    record Received(Link link, Message message) implements Event {}

    /** A connection broke, or could not be made. */
    record Closed(Link link) implements Event {}

    /**
     * A gradient is computed, as {@link Effect.Compute} asked.
     *
     * @param gradient of the whole model
     */
    record Computed(long number, FloatBuffer gradient) implements Event {}

    /** A part of a checkpoint is on the disk, as {@link Effect.Write} asked. */
    record Written(CutId cut) implements Event {}

    /**
     * A part of a checkpoint was read, as {@link Effect.Load} asked.
     *
     * @param state null when there is none, or the initial values are asked for
     */
    record Loaded(long number, @Nullable ShardSnapshot state) implements Event {}

    /** A manifest is on the disk, as {@link Effect.Commit} asked. */
    record Committed(CutId cut) implements Event {}
}
