package dev.edl.runtime.wire.control;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a listener of a master's process works with.
 *
 * @param name begins the names of its threads, for example {@code mnist-master-0}
 * @param credential checks that a caller knows the job's token
 * @param refusal why a caller is refused that knows the token, with the words that differ; empty for one that is welcome
 * @param workers is notified of workers that are cut off
 * @param shards is notified of shards that can be reached
 * @param codec of models and shards' states
 * @param alarms the time
 * @param sessions names that cannot be guessed, each given once
 * @param settings bounds
 */
public record MasterListenerConfig(
        String name,
        Credential credential,
        Function<Hello, Optional<String>> refusal,
        WorkerWatch workers,
        ShardWatch shards,
        SnapshotBytes codec,
        TimerService alarms,
        Supplier<String> sessions,
        ControlSettings settings) {}
