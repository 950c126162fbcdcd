package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.WeightVersions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applies every kind of fault to the bytes of a conversation, one at a time. */
class FrameCorpusTest {
    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());
    private final Conversation conversation = new Conversation(loopback);
    private final RemoteShards good = loopback.worker("good");
    private int applied;

    @AfterEach
    void close() {
        loopback.close();
    }

    private int length(int frame) {
        return conversation.frame(frame, new byte[32], new byte[32], 0).length;
    }

    /** Checks that a worker without faults is served, and that the weights match the pushes. */
    private void weightsAreOfPushes(String after) throws InterruptedException {
        float[] weights = new float[4];
        good.pull(weights, List.of(), new WeightVersions(1));
        assertThat(weights).as(after).containsOnly(-applied);
    }

    @Test
    void frames_truncated_at_any_byte_have_no_effect() throws Exception {
        for (int frame = 0; frame < Conversation.FRAMES; frame++) {
            int length = length(frame);
            for (int cut = 0; cut <= length; cut++) {
                int bytes = cut;
                List<FrameKind> answers = conversation.talk(frame, whole -> Arrays.copyOf(whole, bytes), applied);
                boolean pushed = frame == Conversation.FRAMES - 1 && cut == length;
                applied += pushed ? 1 : 0;
                weightsAreOfPushes("frame " + frame + " cut after " + cut + " bytes");
                assertThat(answers.contains(FrameKind.RESULT)).isEqualTo(pushed);
            }
        }
        assertThat(applied).isEqualTo(1);
    }

    @Test
    void a_flipped_bit_has_no_effect_wherever_it_is() throws Exception {
        for (int frame = 0; frame < Conversation.FRAMES; frame++) {
            int answered = frame;
            for (int bit = 0; bit < 8 * length(frame); bit++) {
                int flipped = bit;
                List<FrameKind> answers = conversation.talk(
                        frame,
                        whole -> {
                            whole[flipped / 8] ^= (byte) (1 << flipped % 8);
                            return whole;
                        },
                        0);
                assertThat(answers.stream().filter(kind -> kind != FrameKind.AWAY))
                        .as("frame %d, bit %d", frame, bit)
                        .hasSize(answered);
                weightsAreOfPushes("frame " + frame + ", bit " + bit);
            }
        }
    }

    @Test
    void repeated_frame_is_applied_at_most_once() throws Exception {
        assertThat(conversation.talk(0, FrameCorpusTest::twice, 0)).startsWith(FrameKind.CHALLENGE);
        assertThat(conversation.talk(1, FrameCorpusTest::twice, 0))
                .startsWith(FrameKind.CHALLENGE, FrameKind.WELCOME)
                .doesNotContain(FrameKind.VALUES);
        weightsAreOfPushes("greetings");
        assertThat(conversation.talk(2, FrameCorpusTest::twice, 0))
                .containsExactly(FrameKind.CHALLENGE, FrameKind.WELCOME, FrameKind.VALUES, FrameKind.VALUES);
        assertThat(conversation.talk(3, FrameCorpusTest::twice, 0))
                .containsExactly(
                        FrameKind.CHALLENGE, FrameKind.WELCOME, FrameKind.VALUES, FrameKind.RESULT, FrameKind.RESULT);
        applied = 1;
        weightsAreOfPushes("a push that came twice");
    }

    private static byte[] twice(byte[] frame) {
        byte[] twice = Arrays.copyOf(frame, 2 * frame.length);
        System.arraycopy(frame, 0, twice, frame.length, frame.length);
        return twice;
    }

    private static FrameInput input(byte[] bytes) {
        return new FrameInput(Channels.newChannel(new ByteArrayInputStream(bytes)));
    }

    /** Returns a frame of each kind, with a text as its body. */
    private static byte[] frame(FrameKind kind) {
        return Conversation.bytes(
                out -> out.begin(kind, 1, 2, 3, 4, 12).text("seven b").end());
    }

    private static void read(byte[] bytes) throws IOException {
        FrameInput in = input(bytes);
        if (!in.next(any -> 12)) {
            throw new IOException("nothing came");
        }
        in.text();
        in.end();
    }

    @Test
    void both_ends_reject_truncated_and_corrupted_frames_of_every_kind() throws IOException {
        for (FrameKind kind : FrameKind.values()) {
            byte[] frame = frame(kind);
            read(frame);
            for (int cut = 0; cut < frame.length; cut++) {
                byte[] part = Arrays.copyOf(frame, cut);
                assertThatThrownBy(() -> read(part)).isInstanceOf(IOException.class);
            }
            for (int bit = 0; bit < 8 * frame.length; bit++) {
                byte[] flipped = frame.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> read(flipped))
                        .as("bit %d of %s", bit, kind)
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(ProtocolVersionException.class);
            }
        }
    }

    @Test
    void header_of_a_gigabyte_is_rejected_without_allocation() {
        ShardFrameLayout layout = loopback.served(0, 1).layout();
        for (FrameKind kind : FrameKind.values()) {
            for (FrameLimits limits : List.<FrameLimits>of(Greeting::limit, layout::asked, layout::answered)) {
                byte[] header = Arrays.copyOf(frame(kind), FrameInput.HEADER);
                ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 1 << 30);
                FrameInput in = input(header);
                long before = allocated();
                assertThatThrownBy(() -> in.next(limits)).isInstanceOf(FrameException.class);
                assertThat(allocated() - before).as("%s", kind).isLessThan(1 << 20);
            }
        }
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void invalid_frame_is_rejected_by_its_first_four_bytes() {
        FrameInput in = input("GET / HTTP/1.1".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThatThrownBy(() -> in.next(any -> 0))
                .isInstanceOf(FrameException.class)
                .hasMessageEndingWith(": a frame must begin with 45444c46, began with 47455420");
    }

    @Test
    void wrong_checksum_names_expected_and_actual_value() {
        ShardLife life = new ShardLife("run", 1, 2);
        byte[] frame = Conversation.bytes(out -> out.begin(FrameKind.WELCOME, 0, 1, 0, 0, FrameOutput.sizeOf(life))
                .life(life)
                .end());
        Arrays.fill(frame, frame.length - 4, frame.length, (byte) 0x5a);
        FrameInput in = input(frame);

        assertThatThrownBy(() -> {
                    in.next(any -> 100);
                    in.life();
                    in.end();
                })
                .isInstanceOf(FrameException.class)
                .hasMessageMatching(".*: the checksum of WELCOME must be [0-9a-f]{1,8}, was 5a5a5a5a");
    }
}
