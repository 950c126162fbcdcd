package dev.edl.runtime.data.tfrecord;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Values of one feature of a tf.Example, in arrays that are reused for the next feature.
 *
 * <p>As in protobuf, if a feature's list occurs more than once, lists of the same kind are concatenated; if the kinds
 * differ, the last list replaces the earlier ones.
 */
final class ExampleValues {
    private TfExample.Kind kind = TfExample.Kind.EMPTY;
    private int count;
    private float[] floats = new float[16];
    private long[] int64s = new long[16];
    // Start and end of each bytes value in the record.
    private int[] spans = new int[16];

    TfExample.Kind kind() {
        return kind;
    }

    int count() {
        return count;
    }

    float[] floats() {
        return floats;
    }

    long[] int64s() {
        return int64s;
    }

    int from(int value) {
        return spans[2 * value];
    }

    int to(int value) {
        return spans[2 * value + 1];
    }

    /** Reads a {@code Feature} message: one of three lists. */
    void read(ProtoReader in, int from, int to) {
        kind = TfExample.Kind.EMPTY;
        count = 0;
        in.range(from, to);
        while (in.more()) {
            int tag = in.tag();
            TfExample.Kind next = TfExample.Kind.ofField(tag >>> 3);
            if (next == TfExample.Kind.EMPTY || (tag & 7) != ProtoReader.DELIMITED) {
                in.skip(tag);
                continue;
            }
            if (next != kind) {
                kind = next;
                count = 0;
            }
            int end = in.delimited();
            in.range(in.at(), end);
            list(in);
            in.range(end, to);
        }
    }

    /** Reads a {@code BytesList}, {@code FloatList} or {@code Int64List}: the repeated field 1, packed or not. */
    private void list(ProtoReader in) {
        while (in.more()) {
            int tag = in.tag();
            int wire = tag & 7;
            if (tag >>> 3 != 1) {
                in.skip(tag);
            } else if (wire == ProtoReader.DELIMITED) {
                int end = in.delimited();
                delimited(in, end);
                in.seek(end);
            } else if (kind == TfExample.Kind.FLOATS && wire == ProtoReader.FIXED32) {
                floats = ensureCapacity(floats, 1);
                floats[count++] = in.float32();
            } else if (kind == TfExample.Kind.INT64S && wire == ProtoReader.VARINT) {
                int64s = ensureCapacity(int64s, 1);
                int64s[count++] = in.varint();
            } else {
                in.skip(tag);
            }
        }
    }

    private void delimited(ProtoReader in, int end) {
        int length = end - in.at();
        switch (kind) {
            case BYTES -> {
                if (2 * count + 2 > spans.length) {
                    spans = Arrays.copyOf(spans, Math.multiplyExact(2, spans.length));
                }
                spans[2 * count] = in.at();
                spans[2 * count + 1] = end;
                count++;
            }
            case FLOATS -> {
                if (length % Float.BYTES != 0) {
                    throw in.corrupt(in.at(), "floats of 4 bytes each", length + " bytes");
                }
                floats = ensureCapacity(floats, length / Float.BYTES);
                ByteBuffer bytes = in.bytes();
                bytes.position(in.at());
                bytes.asFloatBuffer().get(floats, count, length / Float.BYTES);
                count += length / Float.BYTES;
            }
            case INT64S -> packed(in, end);
            case EMPTY -> throw new AssertionError("a list has a kind");
        }
    }

    private void packed(ProtoReader in, int end) {
        while (in.at() < end) {
            int from = in.at();
            int64s = ensureCapacity(int64s, 1);
            int64s[count++] = in.varint();
            if (in.at() > end) {
                throw in.corrupt(from, "a number within its list", "one that goes beyond it");
            }
        }
    }

    private float[] ensureCapacity(float[] values, int more) {
        int needed = Math.addExact(count, more);
        return needed <= values.length ? values : Arrays.copyOf(values, Math.max(needed, 2 * count));
    }

    private long[] ensureCapacity(long[] values, int more) {
        int needed = Math.addExact(count, more);
        return needed <= values.length ? values : Arrays.copyOf(values, Math.max(needed, 2 * count));
    }
}
