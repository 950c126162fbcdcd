package dev.edl.runtime.ps.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes blocks to a stream: the length of each, the CRC-32C of everything up to its end, and its bytes. A length of 0
 * and the checksum of everything mark the end. A reader thus checks each block before it uses a value, and reads
 * nothing after the end.
 */
final class StreamBlockWriter implements ChecksummedOutput.Sink {
    /** Bytes of a block's header. */
    static final int HEAD = 2 * Integer.BYTES;

    private final OutputStream stream;

    StreamBlockWriter(OutputStream stream) {
        this.stream = stream;
    }

    @Override
    public void block(ByteBuffer bytes, int crc) throws IOException {
        if (bytes.hasRemaining()) {
            head(bytes.remaining(), crc);
            stream.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        }
    }

    @Override
    public void end(int crc) throws IOException {
        head(0, crc);
        stream.flush();
    }

    private void head(int length, int crc) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        stream.write(head.putInt(length).putInt(crc).array());
    }

    @Override
    public void close() {}
}
