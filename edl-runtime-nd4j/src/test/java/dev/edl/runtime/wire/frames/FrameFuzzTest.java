package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.EmbeddingTable;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardContents;
import dev.edl.runtime.wire.bounds.ManualTimers;
import dev.edl.runtime.wire.bounds.TimeBound;
import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Any input is read or refused by an {@link IOException}, and leaves a server unchanged.
 *
 * <p>A build runs the empty input alone; {@code .ci/full long fuzz} searches for others, one test at a time.
 */
@SuppressWarnings("NullAway.Init")
class FrameFuzzTest {
    private static final String BOUND = "60s";

    private static Loopback loopback;

    @BeforeAll
    static void begin() {
        EmbeddingTable table = new EmbeddingTable("t", 3, 0, 1, Initializer.constant(1));
        ShardContents contents =
                ShardContents.of(ParameterLayout.builder().add("w", 4).build(), List.of(table), 7);
        loopback = new Loopback(1, contents, List.of(table), Consistency.asynchronous());
    }

    @AfterAll
    static void close() {
        loopback.close();
    }

    /** Returns frames with any header and body and a correct checksum, mixed with arbitrary bytes. */
    private static byte[] frames(FuzzedDataProvider data) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (data.remainingBytes() > 0) {
            if (data.consumeInt(0, 7) == 0) {
                all.writeBytes(data.consumeBytes(40));
                continue;
            }
            FrameKind kind = data.pickValue(FrameKind.values());
            byte flags = data.consumeByte();
            long a = data.consumeBoolean() ? data.consumeInt(0, 2000) : data.consumeLong();
            long b = data.consumeBoolean() ? data.consumeInt(0, 3) : data.consumeLong();
            byte[] body = data.consumeBoolean() ? push(data) : data.consumeBytes(data.consumeInt(0, 200));
            byte[] padded = Arrays.copyOf(body, FrameOutput.padded(body.length));
            all.writeBytes(Conversation.bytes(out ->
                    out.begin(kind, flags, 1, a, b, padded.length).bytes(padded).end()));
        }
        return all.toByteArray();
    }

    /** Returns a nearly valid body of a push. */
    private static byte[] push(FuzzedDataProvider data) {
        byte[] bytes = Conversation.bytes(out -> {
            String run = data.consumeBoolean() ? Loopback.RUN : data.consumeAsciiString(20);
            out.begin(FrameKind.PUSH, 0, 1, 0, 0, 1 << 20);
            out.writeLong(data.consumeLong()).writeLong(data.consumeLong());
            out.text(run).writeLong(data.consumeInt(-1, 2)).writeLong(data.consumeInt(-1, 2));
            out.floats(new float[] {data.consumeFloat(), 1, 2, 3}, 0, 4);
            int rows = data.consumeInt(0, 3);
            out.writeInt(data.consumeBoolean() ? rows : data.consumeInt());
            for (int row = 0; row < rows; row++) {
                out.writeLong(data.consumeLong());
            }
            out.floats(new float[3 * rows], 0, 3 * rows);
        });
        return Arrays.copyOfRange(bytes, FrameInput.HEADER, bytes.length);
    }

    @FuzzTest(maxDuration = BOUND)
    void frames_are_read_or_refused_under_every_limit(FuzzedDataProvider data) {
        ShardFrameLayout layout = loopback.served(0, 1).layout();
        List<FrameLimits> all = List.of(Greeting::limit, layout::asked, layout::answered, kind -> 1000);
        FrameLimits limits = all.get(data.consumeInt(0, all.size() - 1));
        byte[] reads = data.consumeBytes(30);
        boolean raw = data.consumeBoolean();
        byte[] bytes = raw ? data.consumeRemainingAsBytes() : frames(data);
        FrameInput in = new FrameInput(Channels.newChannel(new ByteArrayInputStream(bytes)));
        int at = 0;
        try {
            while (in.next(limits)) {
                boolean more = true;
                while (more && at < reads.length) {
                    more = read(in, reads[at++]);
                }
                in.end();
            }
        } catch (IOException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }

    /** Reads a part of a body. Returns whether another may follow. */
    private static boolean read(FrameInput in, byte how) throws IOException {
        switch (how & 7) {
            case 0 -> in.readInt();
            case 1 -> in.readLong();
            case 2 -> in.bytes(4 * (how >> 3 & 15));
            case 3 -> in.text();
            case 4 -> in.life();
            case 5 -> {
                long[] ids = new long[in.rows(Long.BYTES)];
                in.longs(ids, ids.length);
            }
            case 6 -> in.floats(new float[16], how >> 3 & 15);
            default -> {
                return false;
            }
        }
        return true;
    }

    @FuzzTest(maxDuration = BOUND)
    void server_is_unchanged_after_arbitrary_input(FuzzedDataProvider data) throws IOException {
        byte[] frames = frames(data);
        ShardServer server = loopback.servers.get(0);
        String staging = server.staging().toString();
        Conversation conversation = new Conversation(loopback);
        byte[] mine = new byte[32];
        MemoryChannel channel = new MemoryChannel(conversation.frame(0, mine, mine, 0), challenge -> {
            byte[] theirs = Arrays.copyOfRange(challenge, FrameInput.HEADER, FrameInput.HEADER + 32);
            byte[] proof = conversation.frame(1, mine, theirs, 0);
            byte[] all = Arrays.copyOf(proof, proof.length + frames.length);
            System.arraycopy(frames, 0, all, proof.length, frames.length);
            return all;
        });
        ShardFrameLayout layout = loopback.served(0, 1).layout();
        ConnectionBuffers buffers = ConnectionBuffers.allocate(ConnectionBuffers.LEAST);
        new ServerConnection(
                        server,
                        BoundedChannel.called(
                                channel, ChannelSecurity.plain(), "the worker", new ManualTimers(), false),
                        buffers,
                        layout,
                        TimeBound.silence(ConnectionSettings.defaults()),
                        null)
                .run();

        assertThat(channel.isOpen()).isFalse();
        assertThat(server.staging()).hasToString(staging);
    }
}
