package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.PushResult;
import dev.edl.runtime.ps.PushResult.Outcome;
import dev.edl.runtime.ps.WeightVersions;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fault in the bytes of a push has either no effect, or that of one push. */
class FaultyFramesTest {
    private static final int SIZE = 40;

    private final Loopback loopback = Loopback.floats(1, SIZE, Consistency.asynchronous());
    private final FaultyProxy proxy;
    private final RemoteShards worker;
    private final WeightVersions base = new WeightVersions(1);

    FaultyFramesTest() throws IOException {
        proxy = loopback.closes(new FaultyProxy(loopback.addresses().get(0)));
        worker = loopback.worker("w", List.of(proxy.address()), Duration.ofSeconds(20));
    }

    @AfterEach
    void close() {
        loopback.close();
    }

    private PushResult push(long id) throws InterruptedException {
        worker.pull(new float[SIZE], List.of(), base);
        float[] ones = new float[SIZE];
        Arrays.fill(ones, 1);
        return worker.push(id, base, ones, List.of());
    }

    private void weightsAre(float weight) throws InterruptedException {
        float[] weights = new float[SIZE];
        loopback.worker("reader").pull(weights, List.of(), base);
        assertThat(weights).containsOnly(weight);
    }

    @Test
    void push_truncated_at_any_byte_is_resent_and_applied_once() throws InterruptedException {
        int length = 32 + pushBody() + 4;
        for (int cut = 0; cut < length; cut++) {
            int bytes = cut;
            proxy.onPush((frame, out) -> {
                assertThat(frame).hasSize(length);
                out.write(frame, 0, bytes);
                return false;
            });
            assertThat(push(cut)).as("cut after %d bytes", cut).isEqualTo(new PushResult(Outcome.APPLIED, cut + 1));
        }
        assertThat(proxy.fired()).isEqualTo(length);
        weightsAre(-length);
    }

    /** Sequence, bound, life of run-1, floats. */
    private static int pushBody() {
        return 8 + 8 + (4 + 8 + 8 + 8) + SIZE * 4;
    }

    @Test
    void flipped_bit_anywhere_in_a_push_is_rejected() throws InterruptedException {
        int length = 32 + pushBody() + 4;
        // A greater length waits for missing bytes, until the connection ends.
        for (int bit = 0; bit < length * 8; bit += 7) {
            int flipped = bit;
            proxy.onPush((frame, out) -> {
                frame[flipped / 8] ^= (byte) (1 << flipped % 8);
                out.write(frame);
                return false;
            });
            assertThat(push(bit).outcome()).as("bit %d", bit).isEqualTo(Outcome.APPLIED);
        }
        assertThat(proxy.fired()).isEqualTo((length * 8 + 6) / 7);
        int steps = (length * 8 + 6) / 7;
        weightsAre(-steps);
    }

    @Test
    void push_received_twice_on_one_connection_is_applied_once() throws InterruptedException {
        proxy.onPush((frame, out) -> {
            out.write(frame);
            out.write(frame);
            return true;
        });
        assertThat(push(0).outcome()).isEqualTo(Outcome.APPLIED);
        // The second response to the first push does not match this one, which is sent again.
        assertThat(push(1).outcome()).isIn(Outcome.APPLIED, Outcome.DUPLICATE);
        weightsAre(-2);
    }

    @Test
    void push_with_lost_response_is_a_duplicate_when_resent() throws InterruptedException {
        proxy.onResult((frame, out) -> false);

        assertThat(push(0)).isEqualTo(new PushResult(Outcome.DUPLICATE, 1));
        weightsAre(-1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void a_flipped_bit_of_an_answer_is_never_believed(long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int id = 0; id < 40; id++) {
            int bit = random.nextInt(36 * 8);
            proxy.onResult((frame, out) -> {
                frame[bit / 8] ^= (byte) (1 << bit % 8);
                out.write(frame);
                return false;
            });
            assertThat(push(id)).as("seed %d, bit %d", seed, bit).isEqualTo(new PushResult(Outcome.DUPLICATE, id + 1));
        }
        weightsAre(-40);
    }

    @Test
    void connection_closed_within_a_push_leaves_the_shard_unchanged() throws InterruptedException {
        loopback.worker("other").pull(new float[SIZE], List.of(), base);
        proxy.onPush((frame, out) -> {
            out.write(frame, 0, frame.length / 2);
            out.flush();
            proxyIsAlone();
            return false;
        });
        assertThat(push(0)).isEqualTo(new PushResult(Outcome.APPLIED, 1));
    }

    private void proxyIsAlone() {
        assertThat(loopback.shards.get(0).version(Loopback.TERM)).isZero();
    }
}
