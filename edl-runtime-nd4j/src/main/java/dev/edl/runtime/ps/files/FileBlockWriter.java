package dev.edl.runtime.ps.files;

import dev.edl.runtime.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Writes blocks one after the other to a new file, and their checksum as the last four bytes. */
final class FileBlockWriter implements ChecksummedOutput.Sink {
    private final OpenFile file;
    private long written;

    /** Creates a file, which must not exist, and opens it for writing. */
    FileBlockWriter(Path file) throws IOException {
        this.file = OpenFile.create(file);
    }

    @Override
    public void block(ByteBuffer bytes, int crc) throws IOException {
        int count = bytes.remaining();
        file.write(bytes, written);
        written += count;
    }

    @Override
    public void end(int crc) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        file.write(last.putInt(crc).flip(), written);
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
