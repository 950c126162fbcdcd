package dev.edl.runtime;

import dev.edl.runtime.ps.ShardCut;
import dev.edl.runtime.task.FileJournal;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.TaskLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The master: brings the task ledger up from its journal, hands out work until all of it is done, writes checkpoints
 * meanwhile and the model at the end.
 */
final class MasterMain {
    private final ReplicaContext context;
    private final TrainingServices services;
    private final Training training;
    private final TrainingStore store;

    MasterMain(ReplicaContext context, TrainingServices services) {
        this.context = context;
        this.services = services;
        this.training = services.training();
        this.store = services.store();
    }

    /** Leads the training to its end. */
    void run() throws IOException, InterruptedException {
        if (services.history().result().isPresent()) {
            // The master before this one was killed after its last deed.
            return;
        }
        try (FileJournal journal = store.openJournal()) {
            List<LedgerEvent> seen = new ArrayList<>();
            TaskLedger ledger = TaskLedger.replay(store.ledgerSpec(), journal.events(), event -> {
                journal.accept(event);
                seen.add(event);
            });
            TrainingMaster master = new TrainingMaster(services, ledger, seen);
            // What happened while no master was there: workers left, shards came back older.
            services.goneWorkers().forEach(master::workerGone);
            master.reopen();
            services.pinEvaluations(master);
            services.masterSlot().publish(master);
            try {
                // Who left between the first look and the moment from which the master is told.
                services.goneWorkers().forEach(master::workerGone);
                lead(master);
            } finally {
                services.masterSlot().retire(master);
                master.retire();
            }
        }
    }

    private void lead(TrainingMaster master) throws IOException, InterruptedException {
        long checkpointed = services.history().step();
        while (!master.finished()) {
            context.check();
            Optional<String> failure = master.failure();
            if (failure.isPresent()) {
                throw new TrainingFailedException(failure.get());
            }
            if (training.checkpointSteps() > 0
                    && services.history().step() - checkpointed >= training.checkpointSteps()) {
                ShardCut cut = services.shards().cut();
                checkpointed = cut.version();
                checkpoint(cut);
            }
            master.watch();
        }
        finish(master, master.finalCut().orElseThrow());
    }

    private void finish(TrainingMaster master, ShardCut cut) throws IOException {
        if (training.checkpointDirectory().isPresent()) {
            checkpoint(cut);
        }
        if (training.export().isPresent()) {
            Path file = training.export().get();
            ModelExport.write(training.model().layout(), cut.model(), file);
            services.events().emit(new TrainingEvent.Exported(file));
        }
        services.history()
                .finished(TrainingResult.of(
                        training,
                        store,
                        cut,
                        master.proof(),
                        services.evaluations().result(cut.version()),
                        services.history().elapsed(services.clock().instant())));
        master.done();
    }

    private void checkpoint(ShardCut cut) throws IOException {
        Path directory = store.checkpoint(cut);
        services.events().emit(new TrainingEvent.CheckpointWritten(cut.version(), directory));
    }
}
