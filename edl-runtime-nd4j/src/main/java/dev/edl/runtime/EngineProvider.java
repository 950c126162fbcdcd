package dev.edl.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Services of the engine for the types of this package, which do not depend on it. The engine implements this interface,
 * and a {@link ServiceLoader} finds it. Not for users.
 */
public interface EngineProvider {
    /** Returns the reasons why the engine cannot run a training: its outputs, callbacks or metrics; empty if it can. */
    List<String> problems(Training training);

    /** Writes a model as {@link TrainedModel#export} describes it. */
    void export(TrainedModel model, Path file) throws IOException;

    /** Reads a model as {@link TrainedModel#load} describes it. */
    TrainedModel load(Path from) throws IOException;

    /**
     * Returns the engine from the class loader of this class. Does not use the thread's class loader, which may not know
     * it, as in a notebook.
     */
    static EngineProvider installed() {
        return ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("META-INF/services/" + EngineProvider.class.getName()
                        + " is missing; a jar that merges others must merge their META-INF/services too"));
    }
}
