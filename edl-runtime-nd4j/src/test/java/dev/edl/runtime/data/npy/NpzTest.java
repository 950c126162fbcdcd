package dev.edl.runtime.data.npy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.data.CorruptFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpzTest {
    private static final long SEED = 7;
    private static final NpzArray KERNEL = NpzArray.of("dense/kernel", new float[] {1, 2, 3, -4, 5.5f, 6}, 2, 3);
    private static final NpzArray BIAS = NpzArray.of("dense/bias", new float[] {7, 8, 9}, 3);
    private static final NpzArray SCALAR = NpzArray.of("step", new float[] {42});
    private static final NpzArray NOTHING = NpzArray.of("nothing", new float[0], 0, 4);

    @TempDir
    Path folder;

    @Test
    void arrays_are_read_back_in_their_order() throws IOException {
        Path file = write(KERNEL, BIAS, SCALAR, NOTHING);
        assertThat(NpzReader.read(file).values()).containsExactly(KERNEL, BIAS, SCALAR, NOTHING);
        assertThat(NpzReader.read(file)).containsEntry("dense/kernel", KERNEL);
        assertThat(KERNEL).hasToString("dense/kernel[2, 3]");
    }

    @Test
    void an_array_of_several_blocks_is_read_back() throws IOException {
        float[] values = new float[40_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        NpzArray large = NpzArray.of("large", values, 200, 200);
        assertThat(NpzReader.read(write(large)).values()).containsExactly(large);
    }

    @Test
    void whole_numbers_are_read_back_at_full_length() throws IOException {
        long[] ids = new long[40_000];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = Long.MAX_VALUE - i;
        }
        NpzArray large = NpzArray.of("fm/ids", ids, ids.length);
        NpzArray none = NpzArray.of("none", new long[0], 0);
        Map<String, NpzArray> read = NpzReader.read(write(large, KERNEL, none));

        assertThat(read.values()).containsExactly(large, KERNEL, none);
        assertThat(large.longs()).isEqualTo(ids);
        assertThat(large.isLong()).isTrue();
        assertThatThrownBy(large::values).hasMessage("array \"fm/ids\" holds 64-bit whole numbers; use longs()");
        assertThatThrownBy(KERNEL::longs).hasMessage("array \"dense/kernel\" holds 32-bit floats; use values()");
    }

    @Test
    void doubles_are_read_back_at_full_precision() throws IOException {
        double[] values = new double[40_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = 1.7e12 + i / 3.0;
        }
        values[7] = Double.NaN;
        NpzArray array = NpzArray.of("mean", values, 200, 200);
        Map<String, NpzArray> read = NpzReader.read(write(array, KERNEL));

        assertThat(read.values()).containsExactly(array, KERNEL);
        assertThat(read.values().iterator().next().doubles()).isEqualTo(values);
        assertThat(array.isDouble()).isTrue();
        assertThat(array).isNotEqualTo(NpzArray.of("mean", new double[40_000], 200, 200));
        assertThat(BIAS.doubles()).containsExactly(7, 8, 9);
        assertThatThrownBy(array::values)
                .hasMessage("array \"mean\" holds 64-bit floats; use doubles(), or save it with"
                        + " numpy.ascontiguousarray(a, dtype='<f4')");
        assertThatThrownBy(array::longs).hasMessage("array \"mean\" holds 64-bit floats; use doubles()");
    }

    @Test
    void numpys_float64_is_written_as_numpy_writes_it() throws IOException {
        // numpy 2.4: numpy.save(f, numpy.array([1.5], '<f8')); 1.5 is 3ff8000000000000.
        byte[] header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }".getBytes(US_ASCII);
        NpzArray array = NpzArray.of("mean", new double[] {1.5}, 1);
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(Files.readAllBytes(write(array))))) {
            zip.getNextEntry();
            byte[] entry = zip.readAllBytes();
            assertThat(Arrays.copyOfRange(entry, 10, 10 + header.length)).isEqualTo(header);
            assertThat(Arrays.copyOfRange(entry, 128, entry.length)).containsExactly(0, 0, 0, 0, 0, 0, -8, 0x3f);
        }
    }

    @Test
    void numpys_int64_is_written_and_read() throws IOException {
        // The header's form is that of numpy.save, with the type that numpy calls '<i8'.
        byte[] header = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }".getBytes(StandardCharsets.US_ASCII);
        NpzArray array = NpzArray.of("ids", new long[] {1, -2}, 2);
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(Files.readAllBytes(write(array))))) {
            zip.getNextEntry();
            byte[] entry = zip.readAllBytes();
            assertThat(entry).hasSize(128 + 16);
            assertThat(Arrays.copyOfRange(entry, 10, 10 + header.length)).isEqualTo(header);
            assertThat(Arrays.copyOfRange(entry, 128, 144))
                    .containsExactly(1, 0, 0, 0, 0, 0, 0, 0, -2, -1, -1, -1, -1, -1, -1, -1);
        }
    }

    @Test
    void an_entry_is_a_version_1_npy_aligned_to_64_bytes() throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(Files.readAllBytes(write(BIAS))))) {
            ZipEntry entry = zip.getNextEntry();
            assertThat(entry.getName()).isEqualTo("dense/bias.npy");
            assertThat(entry.getMethod()).isEqualTo(ZipEntry.STORED);
            // numpy 2.4: numpy.save(f, numpy.array([7, 8, 9], '<f4'))
            byte[] header = ("\u0001\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" + " ".repeat(60)
                            + "\n")
                    .getBytes(US_ASCII);
            ByteBuffer expected = ByteBuffer.allocate(128 + 12).order(ByteOrder.LITTLE_ENDIAN);
            expected.put((byte) 0x93).put("NUMPY".getBytes(US_ASCII)).put(header);
            expected.putFloat(7).putFloat(8).putFloat(9);
            assertThat(zip.readAllBytes()).isEqualTo(expected.array());
        }
    }

    @Test
    void the_bytes_do_not_depend_on_the_time_zone() throws IOException {
        TimeZone zone = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
            byte[] there = Files.readAllBytes(write(KERNEL));
            TimeZone.setDefault(TimeZone.getTimeZone("America/Lima"));
            assertThat(Files.readAllBytes(write(KERNEL))).isEqualTo(there);
        } finally {
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void writing_replaces_the_file_without_leftovers() throws IOException {
        write(KERNEL);
        assertThat(NpzReader.read(write(BIAS)).values()).containsExactly(BIAS);
        assertThat(folder.toFile().list()).containsExactly("model.npz");
    }

    @Test
    void an_irreplaceable_target_stays_and_is_named() throws IOException {
        Path target = folder.resolve("model.npz");
        Files.createDirectories(target.resolve("full"));
        assertThatThrownBy(() -> NpzWriter.write(target, List.of(BIAS)))
                .isInstanceOf(IOException.class)
                .message()
                .startsWith(target + ": cannot be written: ");
        assertThat(folder.toFile().list()).containsExactly("model.npz");
    }

    @Test
    void two_arrays_of_one_name_are_refused() {
        Path file = folder.resolve("model.npz");
        assertThatThrownBy(() -> NpzWriter.write(file, List.of(BIAS, BIAS)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ": two arrays must not have the same name, was \"dense/bias\" twice");
    }

    @Test
    void a_shape_that_does_not_fit_the_values_is_refused() {
        assertThatThrownBy(() -> NpzArray.of("w", new float[5], 2, 3))
                .hasMessage("array \"w\": the shape [2, 3] needs 6 values, was 5");
        assertThatThrownBy(() -> NpzArray.of("w", new float[0], -1))
                .hasMessage("array \"w\": every dimension must be at least 0, was [-1]");
    }

    @Test
    void compressed_entries_are_read_too() throws IOException {
        byte[] npy;
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(write(KERNEL)))) {
            zip.getNextEntry();
            npy = zip.readAllBytes();
        }
        assertThat(NpzReader.read(zip("dense/kernel.npy", npy))).isEqualTo(Map.of("dense/kernel", KERNEL));
    }

    @Test
    void another_type_is_rejected_with_save_advice() throws IOException {
        Path file = zip("w.npy", npy("{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", 2));
        assertThatThrownBy(() -> NpzReader.read(file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(file
                        + ": entry \"w.npy\", at byte 8: expected values of type '<f4', '<f8' or '<i8' in C order;"
                        + " save them with numpy.ascontiguousarray(a, dtype='<f4'), found '<f2' in C order");
    }

    @Test
    void another_order_is_refused() throws IOException {
        Path file = zip("w.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16));
        assertThatThrownBy(() -> NpzReader.read(file)).message().endsWith("found '<f4' in Fortran order");
    }

    @Test
    void a_shape_of_billions_allocates_none() throws IOException {
        Path file = zip("w.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (65536, 65536), }", 4));
        assertThatThrownBy(() -> NpzReader.read(file))
                .isInstanceOf(CorruptFileException.class)
                .message()
                .endsWith("expected 8589934588 bytes of values for the shape [65536, 65536], found 4 bytes");
    }

    @Test
    void an_entry_that_is_no_array_is_named() throws IOException {
        Path text = zip("w.npy", "hello".getBytes(US_ASCII));
        assertThatThrownBy(() -> NpzReader.read(text))
                .hasMessage(text + ": entry \"w.npy\", at byte 0: expected the .npy magic 93 4e 55 4d 50 59 and a"
                        + " version, found 68 65 6c 6c 6f");
        Path other = zip("readme.txt", new byte[0]);
        assertThatThrownBy(() -> NpzReader.read(other))
                .hasMessage(other + ": entry \"readme.txt\", at byte 0: expected an array whose entry ends in .npy,"
                        + " found this name");
    }

    @Test
    void a_missing_file_is_named() {
        Path file = folder.resolve("none.npz");
        assertThatThrownBy(() -> NpzReader.read(file))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(file + ": there is no such .npz file");
    }

    @Test
    void cut_anywhere_the_file_is_refused() throws IOException {
        Path file = write(KERNEL, BIAS);
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> NpzReader.read(file))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void a_flipped_bit_never_gives_a_wrong_value() throws IOException {
        Path file = write(KERNEL, BIAS);
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(SEED);
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, flipped);
            try {
                // A zip has no checksum over its names, so a name may come out changed; values must not.
                assertThat(NpzReader.read(file).values())
                        .as("seed %d, byte %d", SEED, at)
                        .extracting(a -> List.of(a.shape(), Arrays.toString(a.values())))
                        .isSubsetOf(
                                List.of(KERNEL.shape(), Arrays.toString(KERNEL.values())),
                                List.of(BIAS.shape(), Arrays.toString(BIAS.values())));
            } catch (CorruptFileException e) {
                assertThat(e.file()).isEqualTo(file);
            }
        }
    }

    private Path write(NpzArray... arrays) throws IOException {
        Path file = folder.resolve("model.npz");
        NpzWriter.write(file, List.of(arrays));
        return file;
    }

    private Path zip(String entry, byte[] content) throws IOException {
        Path file = folder.resolve("other.npz");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content);
            zip.closeEntry();
        }
        return file;
    }

    private static byte[] npy(String header, int dataBytes) {
        ByteBuffer npy = ByteBuffer.allocate(10 + header.length() + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        npy.put((byte) 0x93).put("NUMPY".getBytes(US_ASCII)).put((byte) 1).put((byte) 0);
        npy.putShort((short) header.length()).put(header.getBytes(US_ASCII));
        return npy.array();
    }
}
