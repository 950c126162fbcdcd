package dev.edl.bench.runtime;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.zoo.Backend;
import dev.edl.runtime.zoo.SameDiffModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** JMH benchmark of one worker's step, forward and backward on one batch; each thread has its own session. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class WorkerStepBenchmark {
    /** State of {@link WorkerStepBenchmark#hand}: a session of a hand-written model, with batch, parameters and gradient. */
    @State(Scope.Thread)
    public static class Hand {
        @Param({"mlp"})
        String model;

        @Param("64")
        int batch;

        private StandaloneWorker worker;

        /** Opens the session, with the records and parameters of {@link BenchmarkModel}. */
        @Setup
        public void setUp() {
            worker = new StandaloneWorker(BenchmarkModel.named(model), batch);
        }

        /** Closes the session. */
        @TearDown
        public void tearDown() {
            worker.close();
        }
    }

    /** State of {@link WorkerStepBenchmark#wrapped}: the MLP as a user's graph in a {@link SameDiffModel}. */
    @State(Scope.Thread)
    public static class Wrapped {
        @Param("64")
        int batch;

        private StandaloneWorker worker;

        /** Creates the model from the graph, and opens its session with the records of {@link BenchmarkModel#mlp()}. */
        @Setup
        public void setUp() {
            BenchmarkModel mlp = BenchmarkModel.mlp();
            Model model = SameDiffModel.builder(MlpGraph::create)
                    .features(MlpGraph.INPUT)
                    .labels(MlpGraph.LABEL)
                    .oneHot(MlpGraph.CLASSES)
                    .loss(MlpGraph.LOSS)
                    .predictions(MlpGraph.PROBABILITIES)
                    .build();
            worker = new StandaloneWorker(new BenchmarkModel("graph", model, mlp.peer()), batch);
        }
    }

    /**
     * State of {@link WorkerStepBenchmark#bare}: the same graph without EDL. Its input arrays exist beforehand, and its
     * gradients stay in SameDiff.
     */
    @State(Scope.Thread)
    public static class Bare {
        @Param("64")
        int batch;

        private SameDiff graph;
        private Map<String, INDArray> feed;
        private List<String> variables;

        /** Creates the graph and its inputs, from the records of {@link BenchmarkModel#mlp()}. */
        @Setup
        public void setUp() {
            Backend.oneThreadPerWorker();
            Batch records = BenchmarkModel.mlp().batch(batch);
            graph = MlpGraph.create();
            INDArray features = Nd4j.createFromArray(records.features()).reshape(batch, records.featureWidth());
            INDArray labels = Nd4j.zeros(batch, MlpGraph.CLASSES);
            for (int row = 0; row < batch; row++) {
                labels.putScalar(row, records.classLabel(row, MlpGraph.CLASSES), 1);
            }
            feed = Map.of(MlpGraph.INPUT, features, MlpGraph.LABEL, labels);
            variables = graph.variables().stream()
                    .filter(v -> v.getVariableType() == org.nd4j.autodiff.samediff.VariableType.VARIABLE)
                    .map(SDVariable::name)
                    .toList();
        }
    }

    /** Measures the step of the hand-written model. */
    @Benchmark
    public float hand(Hand h) {
        return h.worker.step();
    }

    /** Measures the step of the wrapped graph. */
    @Benchmark
    public float wrapped(Wrapped w) {
        return w.worker.step();
    }

    /** Measures {@code SameDiff.calculateGradients} on the bare graph. */
    @Benchmark
    public Map<String, INDArray> bare(Bare b) {
        return b.graph.calculateGradients(b.feed, b.variables);
    }
}
