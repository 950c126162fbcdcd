package dev.edl.runtime.ps.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Supplies the bytes of blocks that {@link StreamBlockWriter} wrote; verifies each block's checksum first. */
final class StreamBlockReader implements ChecksummedInput.Source {
    private final String name;
    private final InputStream stream;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer block = ByteBuffer.allocate(0);
    private long read;
    private boolean ended;

    StreamBlockReader(String name, InputStream stream) {
        this.name = name;
        this.stream = stream;
    }

    @Override
    public boolean read(ByteBuffer into) throws IOException {
        if (!block.hasRemaining() && !next()) {
            return false;
        }
        int count = Math.min(into.remaining(), block.remaining());
        into.put(into.position(), block, block.position(), count).position(into.position() + count);
        block.position(block.position() + count);
        return true;
    }

    private boolean next() throws IOException {
        if (ended) {
            return false;
        }
        ByteBuffer head = ByteBuffer.wrap(bytes(StreamBlockWriter.HEAD)).order(ByteOrder.LITTLE_ENDIAN);
        int length = head.getInt();
        int expected = head.getInt();
        if (length < 0 || length > ChecksummedOutput.CHUNK) {
            throw damaged("has a block of " + length + " bytes at " + read + ", a block has at most "
                    + ChecksummedOutput.CHUNK + " bytes");
        }
        block = ByteBuffer.wrap(bytes(length));
        crc.update(block.duplicate());
        if (expected != (int) crc.getValue()) {
            throw damaged(String.format(
                    "has the checksum %08x for the block at %d, its content has %08x",
                    expected, read, (int) crc.getValue()));
        }
        read += length;
        ended = length == 0;
        return !ended;
    }

    private byte[] bytes(int count) throws IOException {
        byte[] bytes = stream.readNBytes(count);
        if (bytes.length < count) {
            throw damaged("ends after " + (read + bytes.length) + " bytes, within a block or before the last one");
        }
        return bytes;
    }

    @Override
    public long most() {
        return ended ? block.remaining() : Long.MAX_VALUE / 2;
    }

    @Override
    public ChecksummedOutput.Seal seal() {
        return new ChecksummedOutput.Seal(read, (int) crc.getValue());
    }

    private CheckpointException damaged(String what) {
        return new CheckpointException(name + " " + what);
    }

    @Override
    public void close() {}
}
