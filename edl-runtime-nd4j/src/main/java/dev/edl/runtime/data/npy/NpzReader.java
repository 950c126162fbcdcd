package dev.edl.runtime.data.npy;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.internal.files.LocalFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Reader of {@code .npz} files that {@link NpzWriter}, {@code numpy.savez} or {@code numpy.savez_compressed} wrote.
 *
 * <pre>{@code
 * Map<String, NpzArray> model = NpzReader.read(Path.of("model.npz"));
 * model.get("dense/kernel").shape();      // [64, 10]
 * }</pre>
 *
 * <p>It reads little-endian floats of 32 and 64 bits, and 64-bit whole numbers, in C order. The exception for any other
 * type explains how to save the array.
 */
public final class NpzReader {
    private static final String ENDING = ".npy";

    private NpzReader() {}

    /** Creates the exception for a fault in an entry of the file. */
    @FunctionalInterface
    interface Fault {
        IOException at(long offset, String expected, String found);
    }

    /**
     * Reads all arrays of a file.
     *
     * @param file a file that is not on the default file system is first copied to a temporary file. The JDK reads the
     *     directory at the end of a zip, which reveals a truncated file, for local files only
     * @return the arrays by name, in the order of the file; not modifiable
     * @throws NoSuchFileException when the file does not exist
     * @throws CorruptFileException when it is not a zip of such arrays
     */
    public static Map<String, NpzArray> read(Path file) throws IOException {
        if (Files.notExists(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no such .npz file");
        }
        Map<String, NpzArray> arrays = new LinkedHashMap<>();
        try (LocalFile local = LocalFile.of(file);
                ZipFile zip = new ZipFile(local.file())) {
            for (ZipEntry entry : List.copyOf(Collections.list(zip.entries()))) {
                NpzArray array = array(file, zip, entry);
                arrays.put(array.name(), array);
            }
        } catch (ZipException | EOFException e) {
            throw (CorruptFileException)
                    new CorruptFileException(file, 0, "a complete .npz file", "invalid: " + e.getMessage())
                            .initCause(e);
        }
        return Collections.unmodifiableMap(arrays);
    }

    private static NpzArray array(Path file, ZipFile zip, ZipEntry entry) throws IOException {
        Fault fault = (offset, expected, found) ->
                new CorruptFileException(file, offset, "entry \"" + entry.getName() + "\", ", expected, found);
        if (!entry.getName().endsWith(ENDING) || entry.getName().length() == ENDING.length()) {
            throw fault.at(0, "an array whose entry ends in .npy", "this name");
        }
        // A size that the file cannot hold must not be allocated; deflate shrinks by a factor of 1032 at most.
        long most = Files.size(file) * (entry.getMethod() == ZipEntry.STORED ? 1 : 1032);
        if (entry.getSize() < 0 || entry.getSize() > most) {
            throw fault.at(0, "an entry of 0 to " + most + " bytes", "" + entry.getSize());
        }
        String name = entry.getName().substring(0, entry.getName().length() - ENDING.length());
        try (InputStream bytes = zip.getInputStream(entry);
                CheckedInputStream in = new CheckedInputStream(bytes, new CRC32())) {
            NpzArray array = NpyFormat.read(name, in, entry.getSize(), fault);
            // The JDK checks it for compressed entries only.
            if (in.getChecksum().getValue() != entry.getCrc()) {
                throw fault.at(
                        0,
                        String.format("the CRC-32 %08x", entry.getCrc()),
                        String.format("%08x", in.getChecksum().getValue()));
            }
            return array;
        }
    }
}
