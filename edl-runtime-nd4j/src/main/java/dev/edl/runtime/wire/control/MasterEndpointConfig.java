package dev.edl.runtime.wire.control;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.TimerService;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Configuration of the listener in a master's process.
 *
 * @param name prefix of the thread names, for example {@code mnist-master-0}
 * @param run name of the run; both ends prove it
 * @param handshake authentication by the job's token
 * @param refusal returns why an authenticated caller is refused, naming the differences; empty if it is accepted
 * @param workers is notified of disconnected workers
 * @param shards is notified of shards that become reachable or unreachable
 * @param codec serialization of models and shards' states
 * @param timers clock and timers
 * @param sessions supplies session names, each once
 * @param settings timeouts and pool sizes
 */
public record MasterEndpointConfig(
        String name,
        String run,
        Handshake handshake,
        Function<Hello, Optional<String>> refusal,
        WorkerDisconnectListener workers,
        ShardConnectionListener shards,
        BulkResultCodec codec,
        TimerService timers,
        Supplier<String> sessions,
        ConnectionSettings settings) {}
