package dev.edl.bench.runtime.shards;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * JMH benchmark of {@code System.arraycopy} of floats, which reads and writes each float once: the speed of this
 * machine's memory.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class MemoryCopyBenchmark {
    /** Source and target of the copy. */
    @State(Scope.Thread)
    public static class Vectors {
        @Param("10000000")
        int floats;

        private float[] from;
        private float[] to;

        /** Fills the source with values from seed 1. */
        @Setup
        public void setUp() {
            from = ShardUpdateBenchmark.uniform(floats, 1);
            to = new float[floats];
        }
    }

    /** Copies the source to the target once. */
    @Benchmark
    public float[] arraycopy(Vectors v) {
        System.arraycopy(v.from, 0, v.to, 0, v.from.length);
        return v.to;
    }
}
