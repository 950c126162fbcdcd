package dev.edl.cli.elasticdl;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.DeepFm;
import dev.edl.runtime.zoo.MnistCnn;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Finds the definition that a {@code --model_def} names: a network of ElasticDL's zoo, or a Java class. */
final class ModelDefinitions {
    /** Definitions of the zoo, by module; the zoo was laid out in one folder for each module, and later by dataset. */
    private static final Map<String, Supplier<ModelDefinition>> ZOO = new TreeMap<>(Map.of(
            "mnist_functional_api.mnist_functional_api.custom_model", ModelDefinitions::mnist,
            "mnist.mnist_functional_api.custom_model", ModelDefinitions::mnist,
            "mnist_subclass.mnist_subclass.CustomModel", ModelDefinitions::mnist,
            "mnist.mnist_subclass.CustomModel", ModelDefinitions::mnist,
            "deepfm_functional_api.deepfm_functional_api.custom_model", ModelDefinitions::frappe,
            "deepfm_edl_embedding.deepfm_edl_embedding.custom_model", ModelDefinitions::frappe));

    private record Definition(Model model, RecordFormat format, Optimizer optimizer) implements ModelDefinition {}

    private ModelDefinitions() {}

    /** Returns images of 28 x 28 floats from 0 to 255, and the zoo's rate. */
    private static ModelDefinition mnist() {
        return new Definition(
                new MnistCnn(),
                ExampleDecoder.create().floats("image", 28 * 28, 1f / 255).label("label"),
                Optimizer.sgd(0.01f));
    }

    /** Returns ten ids of Frappe's contexts, and the zoo's widths and rate. */
    private static ModelDefinition frappe() {
        return new Definition(
                DeepFm.builder().fields(10).dimension(64).hidden(64).build(),
                ExampleDecoder.create().ids("feature", 10).label("label"),
                Optimizer.sgd(0.1f));
    }

    /**
     * Returns a definition.
     *
     * @throws IllegalArgumentException when the zoo has no such name, and there is no such class
     */
    static ModelDefinition named(String name) {
        Supplier<ModelDefinition> known = ZOO.get(name);
        if (known != null) {
            return known.get();
        }
        try {
            Object made = Class.forName(name).getConstructor().newInstance();
            if (made instanceof ModelDefinition definition) {
                return definition;
            }
            throw new IllegalArgumentException("--model_def must name a class that implements "
                    + ModelDefinition.class.getName() + ", was \"" + name + "\"");
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            List<String> names = new ArrayList<>(ZOO.keySet());
            throw new IllegalArgumentException(
                    "--model_def must name a class of the class path or a network of the zoo that EDL has, was \""
                            + name
                            + "\"; "
                            + SpellingSuggestion.to(name, names)
                                    .map(near -> "did you mean " + near + "?")
                                    .orElseGet(
                                            () -> "for example com.acme.Mnist, or one of " + String.join(", ", names)),
                    e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "--model_def " + name + " cannot be created: " + e.getTargetException(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "--model_def " + name + " must be a public class with a public constructor without parameters", e);
        }
    }
}
