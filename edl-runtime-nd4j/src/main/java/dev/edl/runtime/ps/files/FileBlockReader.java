package dev.edl.runtime.ps.files;

import dev.edl.runtime.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Supplies the bytes of a file after verifying the file's checksum. */
final class FileBlockReader implements ChecksummedInput.Source {
    private final String name;
    private final OpenFile file;
    private final ChecksummedOutput.Seal seal;
    private long position;

    private FileBlockReader(String name, OpenFile file) throws IOException {
        this.name = name;
        this.file = file;
        this.seal = verify();
    }

    static FileBlockReader open(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (!Files.isRegularFile(file)) {
            throw new CheckpointException(name + " is missing");
        }
        OpenFile bytes = OpenFile.read(file);
        try {
            return new FileBlockReader(name, bytes);
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }

    private ChecksummedOutput.Seal verify() throws IOException {
        long bytes = file.size();
        if (bytes < Integer.BYTES) {
            throw damaged("has " + bytes + " bytes, too few for a checksum");
        }
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(ChecksummedOutput.CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        for (long at = 0; at < bytes - Integer.BYTES; at += buffer.limit()) {
            read(buffer, at, bytes - Integer.BYTES - at);
            crc.update(buffer.flip());
        }
        read(buffer, bytes - Integer.BYTES, Integer.BYTES);
        int expected = buffer.flip().getInt();
        int found = (int) crc.getValue();
        if (expected != found) {
            throw damaged(String.format("has the checksum %08x at its end, its content has %08x", expected, found));
        }
        return new ChecksummedOutput.Seal(bytes, found);
    }

    private void read(ByteBuffer into, long from, long most) throws IOException {
        into.clear().limit((int) Math.min(into.capacity(), most));
        readFully(into, from);
    }

    private void readFully(ByteBuffer into, long from) throws IOException {
        if (!file.read(into, from)) {
            throw damaged("became shorter while it was read");
        }
    }

    @Override
    public boolean read(ByteBuffer into) throws IOException {
        int count = (int) Math.min(into.remaining(), most());
        into.limit(into.position() + count);
        readFully(into, position);
        position += count;
        return count > 0;
    }

    @Override
    public long most() {
        return seal.bytes() - Integer.BYTES - position;
    }

    @Override
    public ChecksummedOutput.Seal seal() {
        return seal;
    }

    private CheckpointException damaged(String what) {
        return new CheckpointException(name + " " + what);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
