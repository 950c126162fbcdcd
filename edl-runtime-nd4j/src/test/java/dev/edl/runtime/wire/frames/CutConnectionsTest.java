package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.WeightVersions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests workers whose connections break at any frame. */
class CutConnectionsTest {
    private static final int SIZE = 10;
    private static final int PUSHES = 25;

    static LongStream seeds() {
        return CutShardsContractTest.seeds();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void each_push_is_applied_once_despite_broken_connections(long seed) throws IOException, InterruptedException {
        RandomCuts cuts = new RandomCuts(seed, true);
        try (Loopback loopback = Loopback.floats(2, SIZE, Consistency.asynchronous())) {
            List<InetSocketAddress> addresses = new ArrayList<>();
            for (InetSocketAddress server : loopback.addresses()) {
                addresses.add(loopback.closes(new FaultyProxy(server, cuts)).address());
            }
            RemoteShards worker = loopback.worker("w", addresses, Duration.ofSeconds(60));
            WeightVersions base = new WeightVersions(2);
            float[] weights = new float[SIZE];
            float[] ones = new float[SIZE];
            Arrays.fill(ones, 1);
            for (int push = 0; push < PUSHES; push++) {
                worker.pull(weights, List.of(), base);
                assertThat(weights).as("seed %d, push %d", seed, push).containsOnly(-push);
                assertThat(worker.push(push, base, ones, List.of()).outcome())
                        .as("seed %d, push %d", seed, push)
                        .isIn(Outcome.APPLIED, Outcome.DUPLICATE);
            }
            assertThat(worker.resumeAt(0, PUSHES + 1)).as("seed %d", seed).isEqualTo(PUSHES);
            assertThat(cuts.done()).as("seed %d", seed).isPositive();
        }
    }
}
