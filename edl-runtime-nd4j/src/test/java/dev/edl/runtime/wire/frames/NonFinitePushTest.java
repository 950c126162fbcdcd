package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardLife;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pushes that the worker should have rejected itself. */
class NonFinitePushTest {
    private static final int FLOATS = 4;

    private final Loopback loopback = Loopback.floats(1, FLOATS, Consistency.asynchronous());
    private final Conversation conversation = new Conversation(loopback);

    @AfterEach
    void close() {
        loopback.close();
    }

    private static byte[] push(float value, int at) {
        ShardLife life = new ShardLife(Loopback.RUN, 1, 0);
        float[] gradient = new float[FLOATS];
        gradient[at] = value;
        return Conversation.bytes(
                out -> out.begin(FrameKind.PUSH, 0, 3, 0, 0, 16 + FrameOutput.sizeOf(life) + FLOATS * Float.BYTES)
                        .writeLong(1)
                        .writeLong(-1)
                        .life(life)
                        .floats(gradient, 0, FLOATS)
                        .end());
    }

    private FrameKind answer(float value, int at) throws Exception {
        List<FrameKind> answers = conversation.talk(Conversation.FRAMES - 1, frame -> push(value, at), 0);
        return answers.get(answers.size() - 1);
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void a_server_answers_it_by_an_error_and_applies_nothing(float value) throws Exception {
        for (int at = 0; at < FLOATS; at++) {
            assertThat(answer(value, at)).isEqualTo(FrameKind.ERROR);
        }
        float[] weights = {1, 1, 1, 1};
        assertThat(loopback.shards.get(0).pull("w", weights, List.of())).isZero();
        assertThat(weights).containsOnly(0);
    }

    @Test
    void a_server_applies_the_largest_finite_value() throws Exception {
        assertThat(answer(Float.MAX_VALUE, 2)).isEqualTo(FrameKind.RESULT);
    }
}
