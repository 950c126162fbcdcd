package dev.edl.runtime.data.npy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.edl.runtime.internal.files.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Writer of named arrays as a {@code .safetensors} file, which the Python package {@code safetensors} opens.
 *
 * <pre>{@code
 * SafetensorsWriter.write(Path.of("model.safetensors"), List.of(NpzArray.of("dense/kernel", kernel, 64, 10)));
 * }</pre>
 *
 * <p>The header has the arrays in their order. The data have arrays of 64-bit elements first, so that each element is
 * aligned to its size. The same arrays give the same bytes.
 */
public final class SafetensorsWriter {
    /** Name in the header that no array may have. */
    static final String METADATA = "__metadata__";

    static final int ALIGNMENT = 8;

    private SafetensorsWriter() {}

    /**
     * Writes a file; an existing file is replaced atomically when the new one is complete.
     *
     * @param arrays arrays in the order in which the header has them; names must be unique
     * @throws IOException when the file cannot be written; an old one then remains
     */
    public static void write(Path file, List<NpzArray> arrays) throws IOException {
        ObjectNode header = new ObjectMapper().createObjectNode();
        for (NpzArray array : arrays) {
            if (array.name().equals(METADATA) || header.has(array.name())) {
                throw new IllegalArgumentException(file + ": the names of arrays must be unique and not " + METADATA
                        + ", was \"" + array.name() + "\"");
            }
            ObjectNode entry = header.putObject(array.name());
            entry.put("dtype", ElementType.of(array).name());
            array.shape().forEach(entry.putArray("shape")::add);
        }
        // The sort keeps the order of arrays with elements of the same size.
        List<NpzArray> data = arrays.stream()
                .sorted(Comparator.comparing((NpzArray array) -> ElementType.of(array).bytes)
                        .reversed())
                .toList();
        long offset = 0;
        for (NpzArray array : data) {
            long end = offset
                    + array.shape().stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact)
                            * ElementType.of(array).bytes;
            ((ObjectNode) header.get(array.name()))
                    .putArray("data_offsets")
                    .add(offset)
                    .add(end);
            offset = end;
        }
        byte[] json = header.toString().getBytes(StandardCharsets.UTF_8);
        int padded = (json.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        byte[] text = Arrays.copyOf(json, padded);
        Arrays.fill(text, json.length, padded, (byte) ' ');
        AtomicFile.write(file, out -> {
            out.write(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(padded)
                    .array());
            out.write(text);
            for (NpzArray array : data) {
                NpyFormat.writeValues(array, out);
            }
        });
    }
}
