package dev.edl.runtime.data.npy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.edl.runtime.data.CorruptFileException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reader of {@code .safetensors} files that {@link SafetensorsWriter} or the Python package {@code safetensors} wrote.
 *
 * <pre>{@code
 * Map<String, NpzArray> model = SafetensorsReader.read(Path.of("model.safetensors"));
 * }</pre>
 *
 * <p>It reads floats of 32 and 64 bits and 64-bit whole numbers: {@code F32}, {@code F64} and {@code I64}. It refuses any
 * other type, and data that overlap or have gaps. Metadata are ignored.
 */
public final class SafetensorsReader {
    /** The limit of the Python package. */
    private static final int LARGEST_HEADER = 100_000_000;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private SafetensorsReader() {}

    /** An array of the header. Offsets count from the end of the header. */
    private record Entry(String name, ElementType type, List<Integer> shape, long begin, long end) {}

    /**
     * Reads all arrays of a file.
     *
     * @return the arrays by name, in the order of the header; not modifiable
     * @throws NoSuchFileException when the file does not exist
     * @throws CorruptFileException when the file is not in the safetensors format; the message names the array
     */
    public static Map<String, NpzArray> read(Path file) throws IOException {
        if (Files.notExists(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no such .safetensors file");
        }
        long size = Files.size(file);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            byte[] prefix = in.readNBytes(Long.BYTES);
            long length = prefix.length < Long.BYTES
                    ? -1
                    : ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN).getLong();
            long most = Math.min(LARGEST_HEADER, size - Long.BYTES);
            if (length < 0 || length > most) {
                throw new CorruptFileException(
                        file,
                        0,
                        "the length of a header as 64 bits, of at most " + most + " bytes",
                        length < 0 && prefix.length < Long.BYTES
                                ? prefix.length + " bytes"
                                : Long.toUnsignedString(length));
            }
            List<Entry> entries = entries(file, in.readNBytes((int) length));
            Map<String, NpzArray> read = new HashMap<>();
            long data = Long.BYTES + length;
            long at = 0;
            List<Entry> ordered = entries.stream()
                    .sorted(Comparator.comparing(Entry::begin).thenComparing(Entry::end))
                    .toList();
            for (Entry entry : ordered) {
                NpzReader.Fault fault = fault(file, entry.name());
                if (entry.begin() != at || entry.end() > size - data) {
                    throw fault.at(
                            Long.BYTES,
                            "data_offsets from " + at + ", where the array before ends, to at most " + (size - data),
                            entry.begin() + " to " + entry.end());
                }
                read.put(entry.name(), values(entry, in, data, fault));
                at = entry.end();
            }
            if (at != size - data) {
                throw new CorruptFileException(
                        file, data + at, "the end of the file", (size - data - at) + " bytes more");
            }
            Map<String, NpzArray> arrays = new LinkedHashMap<>();
            entries.forEach(entry -> arrays.put(entry.name(), read.get(entry.name())));
            return Collections.unmodifiableMap(arrays);
        }
    }

    private static NpzReader.Fault fault(Path file, String name) {
        return (offset, expected, found) ->
                new CorruptFileException(file, offset, "array \"" + name + "\", ", expected, found);
    }

    private static List<Entry> entries(Path file, byte[] text) throws IOException {
        JsonNode header;
        try {
            header = JSON.readTree(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString());
        } catch (CharacterCodingException e) {
            throw (CorruptFileException) new CorruptFileException(
                            file, Long.BYTES, "a header of UTF-8 text", "other bytes (" + e.getMessage() + ")")
                    .initCause(e);
        } catch (JsonProcessingException e) {
            throw (CorruptFileException) new CorruptFileException(
                            file, Long.BYTES, "a header of JSON with different names", e.getOriginalMessage())
                    .initCause(e);
        }
        if (!header.isObject()) {
            throw new CorruptFileException(file, Long.BYTES, "a header of JSON, an object", "" + header.getNodeType());
        }
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : header.properties()) {
            if (!field.getKey().equals(SafetensorsWriter.METADATA)) {
                entries.add(entry(field.getKey(), field.getValue(), fault(file, field.getKey())));
            }
        }
        return entries;
    }

    private static Entry entry(String name, JsonNode entry, NpzReader.Fault fault) throws IOException {
        String dtype = entry.path("dtype").asText("nothing");
        ElementType type = Arrays.stream(ElementType.values())
                .filter(known -> known.name().equals(dtype))
                .findFirst()
                .orElseThrow(() -> fault.at(
                        Long.BYTES, "the dtype F32, F64 or I64; convert it with tensor.to(torch.float32)", dtype));
        JsonNode shape = entry.path("shape");
        JsonNode offsets = entry.path("data_offsets");
        List<Integer> dimensions = new ArrayList<>();
        long count = 1;
        for (JsonNode dimension : shape) {
            if (!dimension.canConvertToInt() || !dimension.isIntegralNumber() || dimension.intValue() < 0) {
                throw fault.at(Long.BYTES, "a shape of whole numbers from 0 to 2147483647", "" + shape);
            }
            dimensions.add(dimension.intValue());
            count = Math.min(count * dimension.intValue(), Integer.MAX_VALUE);
        }
        if (!shape.isArray()
                || offsets.size() != 2
                || !offsets.path(0).isIntegralNumber()
                || !offsets.path(0).canConvertToLong()
                || !offsets.path(1).isIntegralNumber()
                || !offsets.path(1).canConvertToLong()
                || name.isBlank()) {
            throw fault.at(Long.BYTES, "a name, a shape, and data_offsets of two whole numbers", "" + entry);
        }
        long begin = offsets.get(0).longValue();
        long end = offsets.get(1).longValue();
        if (begin < 0 || end - begin != count * type.bytes) {
            throw fault.at(
                    Long.BYTES,
                    "data_offsets that are " + count * type.bytes + " bytes apart, for " + dtype + " " + shape,
                    "" + offsets);
        }
        return new Entry(name, type, dimensions, begin, end);
    }

    private static NpzArray values(Entry entry, InputStream in, long data, NpzReader.Fault fault) throws IOException {
        int count = (int) ((entry.end() - entry.begin()) / entry.type().bytes);
        return NpyFormat.readValues(entry.name(), entry.type(), entry.shape(), in, count, data + entry.begin(), fault);
    }
}
