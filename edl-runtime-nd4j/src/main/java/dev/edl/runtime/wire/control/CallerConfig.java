package dev.edl.runtime.wire.control;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * What a worker's or a server's process reaches the master with.
 *
 * @param address of the master, looked up anew for each attempt
 * @param hello says who the caller is
 * @param credential proves that it knows the job's token
 * @param codec of models and shards' states
 * @param alarms the time
 * @param jitter numbers from 0 (inclusive) to 1 (exclusive)
 * @param absence the longest that it waits for a master: the training's absenceTimeout
 * @param settings bounds
 */
public record CallerConfig(
        Supplier<InetSocketAddress> address,
        Hello hello,
        Credential credential,
        SnapshotBytes codec,
        TimerService alarms,
        DoubleSupplier jitter,
        Duration absence,
        ControlSettings settings) {}
