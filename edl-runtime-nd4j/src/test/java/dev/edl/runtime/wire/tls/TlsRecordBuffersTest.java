package dev.edl.runtime.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TlsRecordBuffersTest {
    private final TlsRecordBuffers buffers = new TlsRecordBuffers();

    @Test
    void a_buffer_grows_when_a_read_has_filled_it_and_keeps_its_bytes() {
        ByteBuffer small = buffers.borrow(0);
        small.put(new byte[TlsRecordBuffers.SMALL - 2])
                .put((byte) 7)
                .put((byte) 8)
                .flip();
        small.position(TlsRecordBuffers.SMALL - 2);
        ByteBuffer large = buffers.next(small, true);

        assertThat(large.capacity()).isEqualTo(TlsRecordBuffers.LARGE);
        assertThat(large).isEqualTo(ByteBuffer.wrap(new byte[] {7, 8}));
    }

    @Test
    void a_large_buffer_stays_while_it_has_bytes_and_is_given_back_by_a_connection_that_waits() {
        ByteBuffer large = buffers.borrow(TlsRecordBuffers.LARGE).put((byte) 7).flip();
        assertThat(buffers.next(large, false)).isSameAs(large);
        assertThat(large.get()).isEqualTo((byte) 7);
        assertThat(buffers.next(large, true)).isSameAs(large);
        ByteBuffer small = buffers.next(large, false);

        assertThat(small.capacity()).isEqualTo(TlsRecordBuffers.SMALL);
        assertThat(small.hasRemaining()).isFalse();
        assertThat(buffers.borrow(TlsRecordBuffers.LARGE))
                .as("another connection's")
                .isSameAs(large);
    }
}
