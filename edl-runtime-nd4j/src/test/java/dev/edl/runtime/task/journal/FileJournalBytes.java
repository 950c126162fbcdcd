package dev.edl.runtime.task.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** Writes entries of a journal from their description, not with the code under test. */
final class FileJournalBytes {
    private FileJournalBytes() {}

    static void append(Path file, String payloadHex) throws IOException {
        byte[] payload = HexFormat.of().parseHex(payloadHex);
        ByteBuffer entry = ByteBuffer.allocate(12 + payload.length);
        entry.putInt(payload.length)
                .putInt(crc(ByteBuffer.allocate(4).putInt(payload.length).array()))
                .putInt(crc(payload))
                .put(payload);
        Files.write(file, entry.array(), StandardOpenOption.APPEND);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
