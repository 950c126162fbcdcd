package dev.edl.runtime.wire.control;

import dev.edl.runtime.internal.threads.TimerService;
import dev.edl.runtime.ConnectionSettings;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Configuration of the listener in a master's process.
 *
 * @param name prefix of the thread names, for example {@code mnist-master-0}
 * @param credential checks that a caller has the job's token
 * @param refusal returns why an authenticated caller is refused, naming the differences; empty if it is accepted
 * @param workers is notified of disconnected workers
 * @param shards is notified of shards that become reachable or unreachable
 * @param codec serialization of models and shards' states
 * @param timers clock and timers
 * @param sessions supplies session names, each once
 * @param settings timeouts and pool sizes
 */
public record MasterListenerConfig(
        String name,
        Authenticator credential,
        Function<Hello, Optional<String>> refusal,
        WorkerConnectionListener workers,
        ShardWatch shards,
        SnapshotBytes codec,
        TimerService timers,
        Supplier<String> sessions,
        ConnectionSettings settings) {}
