package dev.edl.runtime.engine;

import dev.edl.runtime.Progress;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.engine.files.TrainingStore;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.engine.ports.ShardSlot;
import dev.edl.runtime.ps.group.LocalShards;
import dev.edl.runtime.ps.ports.Term;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Master over two shard slots without threads: a test does the work of all roles and sets the time. */
public final class OneJvm implements AutoCloseable {
    final TrainingStore store;
    final EventHub events = new EventHub("unit", List.of());
    public final LocalShards group;
    final SharedTrainingState services;
    private final AbsentServerRetry retry;
    private TrainingMaster master;
    private RegistrationPort registration;
    private final AtomicLong nanos = new AtomicLong();

    public OneJvm(Training training) throws IOException {
        store = TrainingStore.open(training, 2);
        group = new LocalShards(store.contents(), 2, Duration.ofMillis(1));
        services = new SharedTrainingState(
                "master",
                training,
                group,
                store,
                events,
                null,
                null,
                new RunClock(() -> Instant.EPOCH.plusNanos(nanos.get()), nanos::get));
        retry = services.waits(() -> {});
        master = TrainingMasterTest.master(services, store.ledger(event -> {}));
        registration = new LocalRegistrationPort(master, services);
    }

    TrainingMaster master() {
        return master;
    }

    public RegistrationPort registration() {
        return registration;
    }

    public MasterPort master(String worker) {
        return new LocalMasterPort(master, services, worker);
    }

    /** Makes the present master visible to workers. */
    public void publish() throws InterruptedException {
        master.decisions().takeOver();
        services.masterSlot().publish(master);
    }

    public void watch() throws InterruptedException {
        master.watch(retry);
    }

    public void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    public void replace() {
        services.masterSlot().retire(master);
        master.retire();
        master = TrainingMasterTest.master(services, store.ledger(event -> {}));
        registration = new LocalRegistrationPort(master, services);
    }

    /** Returns the elapsed time. */
    public long nanos() {
        return nanos.get();
    }

    public Term term() {
        return master.term();
    }

    /** Registers a server of a shard, puts the shard into its slot and reports it. */
    public void bringBack(int shard) {
        Servers.start(registration, services, shard);
    }

    public ShardSlot slot(int shard) {
        return Servers.slot(services, shard);
    }

    public void checkpoint() throws IOException, InterruptedException {
        services.checkpoint(group.cut());
    }

    public Progress progress() {
        return master.progress();
    }

    public Optional<String> failure() {
        return master.failure();
    }

    public void onTraining(Consumer<TrainingEvent> listener) {
        events.add(listener);
    }

    @Override
    public void close() {
        group.close();
        events.close();
        try {
            store.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
