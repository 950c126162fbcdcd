package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.ShardLife;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the bytes on the page about frames, which another program computed, against the sent ones. */
class WirePageTest {
    private final String page = Files.readString(Path.of("../docs/wire.md"));

    WirePageTest() throws IOException {}

    /** Returns the bytes of the dump with a title. */
    private byte[] dump(String title) {
        String rest = page.substring(page.indexOf("\n" + title));
        String dump = rest.substring(rest.indexOf("```\n") + 4, rest.indexOf("\n```", rest.indexOf("```\n") + 4));
        return HexFormat.of().parseHex(dump.replaceAll("(?m)^[0-9a-f]{4} ", "").replaceAll("\\s", ""));
    }

    private FrameInput read(String title) throws IOException {
        FrameInput in = new FrameInput(Channels.newChannel(new ByteArrayInputStream(dump(title))));
        assertThat(in.next(kind -> 100)).isTrue();
        return in;
    }

    private static byte[] ascending() {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void hello_is_as_on_the_page() throws IOException {
        assertThat(Conversation.bytes(out -> out.begin(FrameKind.HELLO, 0, 1, 0, 0, 32 + FrameOutput.sizeOf("s-1"))
                        .bytes(ascending())
                        .text("s-1")
                        .end()))
                .isEqualTo(dump("HELLO, "));
    }

    @Test
    void proof_is_as_on_the_page() throws IOException {
        FrameInput in = read("PROOF, ");
        assertThat(in.kind()).isEqualTo(FrameKind.PROOF);
        assertThat(in.bytes(32)).isEqualTo(ascending());
        assertThat(in.readInt()).isEqualTo(2);
        assertThat(in.text()).isEqualTo("run-1");
        assertThat(in.text()).isEqualTo("w");
        in.end();
    }

    @Test
    void held_is_as_on_the_page() throws IOException {
        assertThat(Conversation.bytes(
                        out -> out.begin(FrameKind.HELD, 0, 7, 40, 8, 0).end()))
                .isEqualTo(dump("HELD, "));
        FrameInput in = read("HELD, ");
        in.end();
        assertThat(in).hasToString("HELD 7 of 40, 8");
    }

    @Test
    void refused_is_as_on_the_page() throws IOException {
        assertThat(Conversation.bytes(out -> out.begin(FrameKind.REFUSED, 0, 1, 0, 0, FrameOutput.sizeOf("no token"))
                        .text("no token")
                        .end()))
                .isEqualTo(dump("REFUSED, "));
        FrameInput in = read("REFUSED, ");
        assertThat(in.text()).isEqualTo("no token");
        in.end();
    }

    @Test
    void push_is_as_on_the_page() throws IOException {
        ShardLife life = new ShardLife("run-1", 1, 0);
        byte[] push = Conversation.bytes(out -> out.begin(FrameKind.PUSH, FrameKind.THEN_VALUES, 3, 5, 4, 52)
                .writeLong(6)
                .writeLong(-1)
                .life(life)
                .floats(new float[] {0.5f, -2}, 0, 2)
                .end());
        assertThat(push).isEqualTo(dump("PUSH, "));
        FrameInput in = read("PUSH, ");
        assertThat(in.readLong()).isEqualTo(6);
        assertThat(in.readLong()).isEqualTo(-1);
        assertThat(in.life()).isEqualTo(life);
        float[] gradient = new float[2];
        in.floats(gradient, 2);
        in.end();
        assertThat(gradient).containsExactly(0.5f, -2);
    }

    @Test
    void the_page_has_the_code_of_each_kind() {
        Matcher row = Pattern.compile("(?m)^\\| (\\d+) ([A-Z]+) \\|").matcher(page);
        StringBuilder rows = new StringBuilder();
        while (row.find()) {
            rows.append(row.group(1)).append(' ').append(row.group(2)).append('\n');
        }
        StringBuilder kinds = new StringBuilder();
        for (FrameKind kind : FrameKind.values()) {
            kinds.append(kind.code()).append(' ').append(kind).append('\n');
        }
        assertThat(rows).hasToString(kinds.toString());
    }
}
