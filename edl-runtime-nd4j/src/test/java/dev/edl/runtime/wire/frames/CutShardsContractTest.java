package dev.edl.runtime.wire.frames;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the contract over connections that break at random frames, except for the responses to pushes. */
@ParameterizedClass(name = "seed {0}")
@MethodSource("seeds")
class CutShardsContractTest extends RemoteShardsContractTest {
    private final long seed;

    CutShardsContractTest(long seed) {
        this.seed = seed;
    }

    /** Seeds 1 to 20; {@code -Dedl.cuts.seeds=200} for more. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("edl.cuts.seeds", 20));
    }

    @Override
    protected Optional<RandomCuts> cuts() {
        return Optional.of(new RandomCuts(seed, false));
    }
}
