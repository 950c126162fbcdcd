package dev.edl.runtime.engine;

import dev.edl.runtime.EngineProvider;
import dev.edl.runtime.TrainedModel;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.decisions.MetricTotals;
import dev.edl.runtime.engine.files.ModelExport;
import dev.edl.runtime.engine.files.ModelImport;
import dev.edl.runtime.engine.files.OutputFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The engine as {@link Training} and {@link TrainedModel} use it. A {@code ServiceLoader} creates it. */
public final class RuntimeEngineProvider implements EngineProvider {
    @Override
    public List<String> problems(Training training) {
        List<String> problems = new ArrayList<>(OutputFiles.of(training).clashes());
        problems.addAll(ModelExport.problems(training));
        training.callbacks().forEach(callback -> problems.addAll(Callbacks.problems(callback, training)));
        problems.addAll(MetricTotals.problems(training.metrics()));
        return problems;
    }

    @Override
    public void export(TrainedModel model, Path file) throws IOException {
        ModelExport.write(model, file);
    }

    @Override
    public TrainedModel load(Path from) throws IOException {
        return ModelImport.read(from);
    }
}
