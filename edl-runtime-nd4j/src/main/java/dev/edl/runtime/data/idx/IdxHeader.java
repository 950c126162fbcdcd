package dev.edl.runtime.data.idx;

import dev.edl.runtime.data.CorruptFileException;
import dev.edl.runtime.data.internal.BufferOrigin;
import dev.edl.runtime.data.internal.FileView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Header of an IDX file: two zero bytes, the type, the number of dimensions, then each dimension in 4 bytes,
 * big-endian.
 *
 * @param shape the dimensions, the records first
 */
record IdxHeader(IdxType type, List<Integer> shape) {
    static final int MOST_DIMENSIONS = 255;

    /** Reads the header, and checks it and that the file has exactly as many elements as the header states. */
    static IdxHeader of(BufferOrigin origin, FileView view) throws IOException {
        IdxHeader header = head(origin, view);
        long expected = header.size() + header.elements(origin) * header.type.size();
        if (view.size() != expected) {
            throw origin.corrupt(
                    Math.min(expected, view.size()),
                    "a file of " + expected + " bytes for " + header,
                    view.size() + " bytes");
        }
        return header;
    }

    /** Reads the header and checks it without comparing it with the file's size. */
    static IdxHeader head(BufferOrigin origin, FileView view) throws IOException {
        byte[] start = new byte[(int) Math.min(4, view.size())];
        view.slice(0, start.length).get(start);
        if (start.length < 4) {
            throw origin.corrupt(0, "an IDX header of 4 bytes", start.length + " bytes and the end of the file");
        }
        if (start[0] != 0 || start[1] != 0 || IdxType.ofCode(start[2]).isEmpty()) {
            throw origin.corrupt(
                    0,
                    "00 00 and an element type of 08, 09, 0b, 0c, 0d or 0e",
                    HexFormat.ofDelimiter(" ").formatHex(start, 0, 3));
        }
        int dimensions = start[3] & 0xff;
        if (dimensions == 0) {
            throw origin.corrupt(3, "1 to 255 dimensions", "0");
        }
        long left = view.size() - 4;
        if (left < 4L * dimensions) {
            throw origin.corrupt(
                    4, dimensions + " dimensions of 4 bytes each", left + " bytes and the end of the file");
        }
        ByteBuffer sizes = view.slice(4, 4 * dimensions).order(ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < dimensions; i++) {
            if (sizes.getInt(4 * i) < 0) {
                throw origin.corrupt(
                        4 + 4L * i,
                        "a dimension of at most " + Integer.MAX_VALUE,
                        Integer.toUnsignedString(sizes.getInt(4 * i)));
            }
        }
        return new IdxHeader(
                IdxType.ofCode(start[2]).orElseThrow(),
                IntStream.range(0, dimensions)
                        .mapToObj(i -> sizes.getInt(4 * i))
                        .toList());
    }

    /** Returns the size of the header in bytes. */
    int size() {
        return 4 + 4 * shape.size();
    }

    int records() {
        return shape.get(0);
    }

    /** Returns the number of elements in the whole file. */
    long elements(BufferOrigin origin) throws CorruptFileException {
        return records() * (long) recordElements(origin);
    }

    /** Returns the number of elements in one record: the product of all dimensions except the first. */
    int recordElements(BufferOrigin origin) throws CorruptFileException {
        long elements = 1;
        for (int i = 1; i < shape.size(); i++) {
            elements *= shape.get(i);
            if (elements * type.size() > FileView.MOST) {
                throw origin.corrupt(4 + 4L * i, "records of at most " + FileView.MOST + " bytes", "" + this);
            }
        }
        return (int) elements;
    }

    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(size());
        bytes.putShort((short) 0).put((byte) type.code()).put((byte) shape.size());
        shape.forEach(bytes::putInt);
        return bytes.array();
    }

    /** Returns, for example, {@code 60000 x 28 x 28 UNSIGNED_BYTE}. */
    @Override
    public String toString() {
        return String.join(" x ", shape.stream().map(String::valueOf).toList()) + " " + type;
    }
}
