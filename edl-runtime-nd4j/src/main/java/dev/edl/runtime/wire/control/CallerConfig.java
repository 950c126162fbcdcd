package dev.edl.runtime.wire.control;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.wire.auth.Handshake;
import dev.edl.runtime.wire.bounds.TimerService;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Configuration with which a worker's or a server's process connects to the master.
 *
 * @param address address of the master, resolved again for each attempt
 * @param hello identifies the caller
 * @param run name of the run; both ends prove it
 * @param handshake authentication by the job's token
 * @param codec serialization of models and shards' states
 * @param timers clock and timers
 * @param jitter supplies numbers from 0 (inclusive) to 1 (exclusive)
 * @param absence the longest wait for a master: the training's absenceTimeout
 * @param settings timeouts and pool sizes
 */
public record CallerConfig(
        Supplier<InetSocketAddress> address,
        Hello hello,
        String run,
        Handshake handshake,
        BulkResultCodec codec,
        TimerService timers,
        DoubleSupplier jitter,
        Duration absence,
        ConnectionSettings settings) {}
