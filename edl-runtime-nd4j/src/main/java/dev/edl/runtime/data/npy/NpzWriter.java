package dev.edl.runtime.data.npy;

import dev.edl.runtime.internal.files.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writer of named arrays as an {@code .npz} file, which {@code numpy.load} opens.
 *
 * <pre>{@code
 * NpzWriter.write(Path.of("model.npz"), List.of(NpzArray.of("dense/kernel", kernel, 64, 10)));
 * }</pre>
 *
 * <p>The file is a zip of uncompressed {@code .npy} entries, as {@code numpy.savez} writes it. The same arrays give the
 * same bytes on every machine and at any time.
 */
public final class NpzWriter {
    // Without a fixed time, an entry would hold the time of writing. The JDK treats 1 January 1980 as out of range and
    // adds a field that depends on the time zone.
    private static final LocalDateTime TIMESTAMP = LocalDateTime.of(1980, 2, 1, 0, 0);

    private NpzWriter() {}

    /**
     * Writes a file; an existing file is replaced atomically when the new one is complete.
     *
     * @param arrays arrays in the order in which the file has them; names must be unique
     * @throws IOException when the file cannot be written; an old one then remains
     */
    public static void write(Path file, List<NpzArray> arrays) throws IOException {
        Set<String> names = new HashSet<>();
        for (NpzArray array : arrays) {
            if (!names.add(array.name())) {
                throw new IllegalArgumentException(
                        file + ": two arrays must not have the same name, was \"" + array.name() + "\" twice");
            }
        }
        AtomicFile.write(file, out -> {
            ZipOutputStream zip = new ZipOutputStream(out);
            for (NpzArray array : arrays) {
                zip.putNextEntry(entry(array));
                NpyFormat.write(array, zip);
                zip.closeEntry();
            }
            zip.finish();
        });
    }

    /**
     * Returns the zip entry of an array. Encodes the array just to get size and checksum, which precede an uncompressed
     * entry's content.
     */
    private static ZipEntry entry(NpzArray array) throws IOException {
        CountingOutputStream counting = new CountingOutputStream();
        CheckedOutputStream checked = new CheckedOutputStream(counting, new CRC32());
        NpyFormat.write(array, checked);
        ZipEntry entry = new ZipEntry(array.name() + ".npy");
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(counting.bytes);
        entry.setCrc(checked.getChecksum().getValue());
        entry.setTimeLocal(TIMESTAMP);
        return entry;
    }

    /** Counts bytes and discards them. */
    private static final class CountingOutputStream extends OutputStream {
        private long bytes;

        @Override
        public void write(int b) {
            bytes++;
        }

        @Override
        public void write(byte[] b, int off, int len) {
            bytes += len;
        }
    }
}
