package dev.edl.runtime.data.npy;

import dev.edl.runtime.internal.files.NpyHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The .npy format of one array: little-endian floats or 64-bit whole numbers in C order (numpy/lib/format.py). */
final class NpyFormat {
    private static final String FLOAT = NpyHeader.FLOAT;
    private static final String DOUBLE = "'<f8'";
    private static final String LONG = "'<i8'";
    private static final int PREFIX = NpyHeader.PREFIX;
    private static final int LONGEST_HEADER = 1 << 20;
    private static final int BLOCK_FLOATS = 16_384;
    private static final Pattern DESCR = Pattern.compile("'descr'\\s*:\\s*('[^']*'|\\[.*])");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([0-9, ]*)\\)");

    private NpyFormat() {}

    static void write(NpzArray array, OutputStream out) throws IOException {
        String dimensions = array.shape().stream().map(String::valueOf).collect(Collectors.joining(", "));
        String shape = array.shape().size() == 1 ? dimensions + "," : dimensions;
        out.write(NpyHeader.of(array.isLong() ? LONG : array.isDouble() ? DOUBLE : FLOAT, shape));
        writeValues(array, out);
    }

    /** Writes the elements of an array, little-endian and row-major. */
    static void writeValues(NpzArray array, OutputStream out) throws IOException {
        if (array.isLong()) {
            writeLongs(array.sharedLongs(), out);
            return;
        }
        if (array.isDouble()) {
            writeLongs(
                    Arrays.stream(array.doubles())
                            .mapToLong(Double::doubleToRawLongBits)
                            .toArray(),
                    out);
            return;
        }
        float[] values = array.shared();
        for (int from = 0; from < values.length; from += BLOCK_FLOATS) {
            int count = Math.min(BLOCK_FLOATS, values.length - from);
            ByteBuffer block = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            block.asFloatBuffer().put(values, from, count);
            out.write(block.array());
        }
    }

    private static void writeLongs(long[] values, OutputStream out) throws IOException {
        for (int from = 0; from < values.length; from += BLOCK_FLOATS) {
            int count = Math.min(BLOCK_FLOATS, values.length - from);
            ByteBuffer block = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            block.asLongBuffer().put(values, from, count);
            out.write(block.array());
        }
    }

    /**
     * Reads an array from a stream.
     *
     * @param size number of bytes in the stream; the shape is checked against it before anything is allocated
     */
    static NpzArray read(String name, InputStream in, long size, NpzReader.Fault fault) throws IOException {
        byte[] prefix = in.readNBytes(PREFIX);
        if (!NpyHeader.begins(prefix)) {
            throw fault.at(
                    0,
                    "the .npy magic 93 4e 55 4d 50 59 and a version",
                    prefix.length == 0 ? "nothing" : HexFormat.ofDelimiter(" ").formatHex(prefix));
        }
        if (prefix[6] < 1 || prefix[6] > 3) {
            throw fault.at(6, "version 1, 2 or 3 of the .npy format", "" + prefix[6]);
        }
        int lengthBytes = prefix[6] == 1 ? Short.BYTES : Integer.BYTES;
        byte[] length = Arrays.copyOf(in.readNBytes(lengthBytes), Integer.BYTES);
        long headerLength = Integer.toUnsignedLong(
                ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt());
        long dataStart = PREFIX + lengthBytes + headerLength;
        if (dataStart > size || headerLength > LONGEST_HEADER) {
            throw fault.at(
                    PREFIX,
                    "a header within the entry's " + size + " bytes and at most " + LONGEST_HEADER,
                    "one of " + headerLength + " bytes");
        }
        String header = new String(in.readNBytes((int) headerLength), StandardCharsets.UTF_8);
        List<Integer> shape = shape(header, fault);
        String type = type(header);
        int bytes = type.equals(FLOAT) ? Float.BYTES : Long.BYTES;
        long values = 1;
        for (int dimension : shape) {
            values = Math.min(values * dimension, Integer.MAX_VALUE);
        }
        if (values * bytes != size - dataStart) {
            throw fault.at(
                    dataStart,
                    values * bytes + " bytes of values for the shape " + shape,
                    (size - dataStart) + " bytes");
        }
        ElementType elements =
                type.equals(FLOAT) ? ElementType.F32 : type.equals(LONG) ? ElementType.I64 : ElementType.F64;
        return readValues(name, elements, shape, in, (int) values, dataStart, fault);
    }

    /** Reads the elements of an array, little-endian and row-major. */
    static NpzArray readValues(
            String name,
            ElementType type,
            List<Integer> shape,
            InputStream in,
            int count,
            long dataStart,
            NpzReader.Fault fault)
            throws IOException {
        if (type == ElementType.F32) {
            return NpzArray.of(name, values(in, count, dataStart, fault), shape);
        }
        long[] longs = longs(in, count, dataStart, fault);
        return type == ElementType.I64
                ? NpzArray.of(name, longs, shape)
                : NpzArray.of(
                        name,
                        Arrays.stream(longs)
                                .mapToDouble(Double::longBitsToDouble)
                                .toArray(),
                        shape);
    }

    private static float[] values(InputStream in, int count, long dataStart, NpzReader.Fault fault) throws IOException {
        float[] values = new float[count];
        for (int from = 0; from < count; from += BLOCK_FLOATS) {
            int floats = Math.min(BLOCK_FLOATS, count - from);
            block(in, floats * Float.BYTES, dataStart + (long) from * Float.BYTES, fault)
                    .asFloatBuffer()
                    .get(values, from, floats);
        }
        return values;
    }

    private static long[] longs(InputStream in, int count, long dataStart, NpzReader.Fault fault) throws IOException {
        long[] values = new long[count];
        for (int from = 0; from < count; from += BLOCK_FLOATS) {
            int longs = Math.min(BLOCK_FLOATS, count - from);
            block(in, longs * Long.BYTES, dataStart + (long) from * Long.BYTES, fault)
                    .asLongBuffer()
                    .get(values, from, longs);
        }
        return values;
    }

    private static ByteBuffer block(InputStream in, int bytes, long at, NpzReader.Fault fault) throws IOException {
        byte[] block = in.readNBytes(bytes);
        if (block.length < bytes) {
            throw fault.at(at, bytes + " bytes of values", block.length + " bytes and the end");
        }
        return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the element type that a header states; {@link #shape} must have checked the header. */
    private static String type(String header) {
        Matcher type = DESCR.matcher(header);
        return type.find() ? type.group(1) : FLOAT;
    }

    private static List<Integer> shape(String header, NpzReader.Fault fault) throws IOException {
        Matcher type = DESCR.matcher(header);
        Matcher order = ORDER.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!type.find() || !order.find() || !shape.find()) {
            throw fault.at(PREFIX, "a header with descr, fortran_order and shape", "\"" + header.strip() + "\"");
        }
        if (!List.of(FLOAT, DOUBLE, LONG).contains(type.group(1))
                || !order.group(1).equals("False")) {
            throw fault.at(
                    PREFIX,
                    "values of type '<f4', '<f8' or '<i8' in C order; save them with numpy.ascontiguousarray(a,"
                            + " dtype='<f4')",
                    type.group(1) + (order.group(1).equals("True") ? " in Fortran order" : " in C order"));
        }
        try {
            return Arrays.stream(shape.group(1).split(","))
                    .map(String::strip)
                    .filter(d -> !d.isEmpty())
                    .map(Integer::valueOf)
                    .toList();
        } catch (NumberFormatException e) {
            throw fault.at(PREFIX, "dimensions below 2^31", "(" + shape.group(1) + ")");
        }
    }
}
