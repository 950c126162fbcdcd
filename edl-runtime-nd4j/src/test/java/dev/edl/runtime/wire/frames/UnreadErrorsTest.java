package dev.edl.runtime.wire.frames;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.ps.ShardLife;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that sends pushes which are not numbers, and reads no response. */
@Timeout(60)
class UnreadErrorsTest {
    private final Loopback loopback = Loopback.floats(1, 4, Consistency.asynchronous());

    @AfterEach
    void close() {
        loopback.close();
    }

    @Test
    void a_write_of_errors_is_bounded() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            channel.connect(loopback.addresses().get(0));
            Conversation conversation = new Conversation(loopback);
            FrameInput in = new FrameInput(Channels.newChannel(channel.socket().getInputStream()));
            byte[] mine = loopback.handshake.nonce();
            channel.write(ByteBuffer.wrap(conversation.frame(0, mine, new byte[32], 0)));
            in.next(kind -> 1000);
            byte[] theirs = in.bytes(32);
            in.bytes(32);
            in.end();
            channel.write(ByteBuffer.wrap(conversation.frame(1, mine, theirs, 0)));
            in.next(kind -> 1000);
            in.life();
            in.end();
            ShardLife life = new ShardLife(Loopback.RUN, 1, 0);
            byte[] one =
                    Conversation.bytes(out -> out.begin(FrameKind.PUSH, 0, 3, 5, 0, 16 + FrameOutput.sizeOf(life) + 16)
                            .writeLong(6)
                            .writeLong(-1)
                            .life(life)
                            .floats(new float[] {Float.NaN, 1, 1, 1}, 0, 4)
                            .end());
            ByteBuffer many = ByteBuffer.allocate(one.length * 1000);
            for (int i = 0; i < 1000; i++) {
                many.put(one);
            }
            many.flip();
            channel.configureBlocking(false);
            boolean open = true;
            try {
                // Until neither end's system takes any more bytes.
                for (int full = 0; full < 100_000 || !isWriting(); full++) {
                    if (channel.write(many) > 0) {
                        full = 0;
                    }
                    if (!many.hasRemaining()) {
                        many.clear();
                    }
                }
                for (int look = 0; look < 100_000; look++) {
                    loopback.timers.get(0).pass(Duration.ofMinutes(1));
                    channel.write(many);
                }
            } catch (IOException closed) {
                open = false;
            }
            assertThat(open).as("open after many minutes of a write").isFalse();
        }
    }

    private static boolean isWriting() {
        return Thread.getAllStackTraces().values().stream()
                .map(Arrays::toString)
                .anyMatch(stack -> stack.contains("FrameOutput.flush"));
    }
}
