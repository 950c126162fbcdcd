package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import org.junit.jupiter.api.Test;

/** Tests bodies that are too long for an int, or for a frame. */
class FrameOutputTest {
    private static byte[] begun(long body) {
        return Conversation.bytes(out -> out.begin(FrameKind.VALUES, 0, 1, 0, 0, body));
    }

    @Test
    void a_body_of_more_than_two_gibibytes_can_be_begun() throws IOException {
        long body = 3L << 30;
        FrameInput in = new FrameInput(Channels.newChannel(new ByteArrayInputStream(begun(body))));

        assertThat(in.next(kind -> body)).isTrue();
        assertThatThrownBy(() -> new FrameInput(Channels.newChannel(new ByteArrayInputStream(begun(body))))
                        .next(kind -> body - 4))
                .hasMessageContaining("had 3221225472");
    }

    @Test
    void oversized_body_is_rejected_naming_kind_length_and_limit() {
        assertThat(begun(FrameOutput.LONGEST)).hasSize(FrameInput.HEADER);
        assertThatThrownBy(() -> begun(FrameOutput.LONGEST + 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the body of VALUES must have at most 4294967292 bytes, had 4294967296; with more parameter servers"
                                + " each of them has fewer");
    }
}
