package dev.edl.cli.elasticdl;

import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.model.Metric;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Optimizer;
import java.util.List;

/**
 * Model, record format and optimizer of a training, as a module of ElasticDL's model zoo defines them.
 *
 * <p>{@code --model_def=com.acme.Mnist} names a public class with a public constructor without parameters:
 *
 * <pre>{@code
 * public final class Mnist implements ModelDefinition {
 *   public Model model() { return new MnistCnn(); }
 *   public RecordFormat format() { return ExampleDecoder.create().floats("image", 784, 1f / 255).label("label"); }
 *   public Optimizer optimizer() { return Optimizer.sgd(0.01f); }
 * }
 * }</pre>
 *
 * <p>Each replica creates its own instance, so two instances must be equal in content.
 */
public interface ModelDefinition {
    /** Returns the model, ElasticDL's {@code custom_model}. */
    Model model();

    /** Returns the format of a record of a RecordIO or TFRecord file, ElasticDL's {@code feed}. */
    RecordFormat format();

    /** Returns the optimizer, ElasticDL's {@code optimizer}. */
    Optimizer optimizer();

    /** Returns the metrics of evaluations, ElasticDL's {@code eval_metrics_fn}. Default: those of the model. */
    default List<Metric> metrics() {
        return model().metrics();
    }
}
