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
 * JMH benchmark of {@code System.arraycopy} of floats: the speed of this machine's memory, read and written once each.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields of a state before it calls any other method.
public class Copy {
    /** Two vectors. */
    @State(Scope.Thread)
    public static class Vectors {
        @Param("10000000")
        int floats;

        private float[] from;
        private float[] to;

        /** Values from seed 1. */
        @Setup
        public void setUp() {
            from = ShardUpdate.uniform(floats, 1);
            to = new float[floats];
        }
    }

    /** Makes one copy. */
    @Benchmark
    public float[] arraycopy(Vectors v) {
        System.arraycopy(v.from, 0, v.to, 0, v.from.length);
        return v.to;
    }
}
