package dev.edl.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** What a {@link TrainingCallback} may ask of the training; valid during the call that it was given to. */
public final class TrainingControl {
    /** Where the parameters come from that a call is about. */
    @FunctionalInterface
    interface Source {
        TrainedModel get() throws InterruptedException;
    }

    private final TrainingServices services;
    private final TrainingMaster master;
    private final Source source;

    TrainingControl(TrainingServices services, TrainingMaster master, Source source) {
        this.services = services;
        this.master = master;
        this.source = source;
    }

    /**
     * Ends the training before its time. No new task is handed out; those that were are finished, so that each record is
     * trained exactly once or not at all. The job then succeeds, and its result says why it was stopped.
     *
     * @param reason why, for people
     * @return false when the training was stopped before, or all of it is trained
     */
    public boolean stop(String reason) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a stop needs a reason, for example \"accuracy is above 0.99\"");
        }
        return master.stop(reason);
    }

    /**
     * The parameters that the call is about: of the version that was evaluated in
     * {@link TrainingCallback#onEvaluation}, else those of the moment.
     */
    public TrainedModel model() throws InterruptedException {
        return source.get();
    }

    /**
     * Writes {@link #model()} as {@link TrainingBuilder#export} does, and tells the listeners.
     *
     * @param npzFile replaced when it is there; its folder is created when it is not
     * @throws IOException when it cannot be written
     */
    public void export(Path npzFile) throws IOException, InterruptedException {
        ModelExport.write(model(), npzFile);
        services.events().emit(new TrainingEvent.Exported(npzFile));
    }

    /** Lets this model be what the training has come to, in the place of the last version. */
    void keep(TrainedModel model, Map<String, Double> metrics) {
        services.callbacks().keep(model, metrics);
    }
}
