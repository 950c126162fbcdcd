package dev.edl.bench.runtime.shards;

import dev.edl.runtime.zoo.Backend;
import java.util.concurrent.TimeUnit;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.GradientUpdater;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * JMH benchmark of the update of {@link ShardUpdateBenchmark} by ND4J, on one thread: {@code x.subi(g.mul(lr))}, and with
 * momentum or Adam ND4J's own updater, which turns the gradient into the step, and {@code x.subi(g)}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class Nd4jUpdateBenchmark {
    /** Weights, gradient and the updater's state. */
    @State(Scope.Thread)
    public static class Arrays {
        @Param("10000000")
        int floats;

        private INDArray weights;
        private INDArray source;
        private INDArray gradient;
        private GradientUpdater<?> nesterovs;
        private GradientUpdater<?> adam;
        private int step;

        /** Creates the arrays, with the values of {@link ShardUpdateBenchmark}. */
        @Setup
        public void setUp() {
            Backend.oneThreadPerWorker();
            weights = Nd4j.createFromArray(ShardUpdateBenchmark.uniform(floats, 1))
                    .reshape(1, floats);
            source = Nd4j.createFromArray(ShardUpdateBenchmark.uniform(floats, 0.01f))
                    .reshape(1, floats);
            gradient = source.dup();
            nesterovs = updater(new Nesterovs(0.01, 0.9), floats);
            adam = updater(new Adam(0.001, 0.9, 0.999, 1e-7), floats);
        }

        /**
         * Restores the gradient before each call: an updater overwrites it with its step, which would soon be denormal.
         */
        @Setup(Level.Invocation)
        public void refill() {
            gradient.assign(source);
            step++;
        }

        private static GradientUpdater<?> updater(IUpdater config, int size) {
            return config.instantiate(Nd4j.zeros(1, config.stateSize(size)), true);
        }
    }

    /** Measures an update by plain gradient descent. */
    @Benchmark
    public INDArray sgd(Arrays a) {
        return a.weights.subi(a.gradient.mul(0.01f));
    }

    /** Measures an update with ND4J's {@code NesterovsUpdater}. */
    @Benchmark
    public INDArray momentum(Arrays a) {
        a.nesterovs.applyUpdater(a.gradient, a.step, 0);
        return a.weights.subi(a.gradient);
    }

    /** Measures an update with ND4J's {@code AdamUpdater}. */
    @Benchmark
    public INDArray adam(Arrays a) {
        a.adam.applyUpdater(a.gradient, a.step, 0);
        return a.weights.subi(a.gradient);
    }
}
