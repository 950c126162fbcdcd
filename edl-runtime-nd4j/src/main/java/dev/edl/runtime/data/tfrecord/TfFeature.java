package dev.edl.runtime.data.tfrecord;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Immutable feature of a {@link TfExample}; only the list of its kind is in use. */
final class TfFeature {
    private static final float[] NO_FLOATS = {};
    private static final long[] NO_INT64S = {};

    private final TfExample.Kind kind;
    private final List<byte[]> bytes;
    private final float[] floats;
    private final long[] int64s;

    private TfFeature(TfExample.Kind kind, List<byte[]> bytes, float[] floats, long[] int64s) {
        this.kind = kind;
        this.bytes = bytes;
        this.floats = floats;
        this.int64s = int64s;
    }

    static TfFeature ofBytes(byte[]... values) {
        List<byte[]> copies = Arrays.stream(values).map(byte[]::clone).toList();
        return new TfFeature(TfExample.Kind.BYTES, copies, NO_FLOATS, NO_INT64S);
    }

    static TfFeature ofFloats(float... values) {
        return new TfFeature(TfExample.Kind.FLOATS, List.of(), values.clone(), NO_INT64S);
    }

    static TfFeature ofInt64s(long... values) {
        return new TfFeature(TfExample.Kind.INT64S, List.of(), NO_FLOATS, values.clone());
    }

    /** Returns a feature with a copy of the values that were just read. */
    static TfFeature of(ProtoReader in, ExampleValues values) {
        int count = values.count();
        return switch (values.kind()) {
            case EMPTY -> new TfFeature(TfExample.Kind.EMPTY, List.of(), NO_FLOATS, NO_INT64S);
            case FLOATS -> ofFloats(Arrays.copyOf(values.floats(), count));
            case INT64S -> ofInt64s(Arrays.copyOf(values.int64s(), count));
            case BYTES -> {
                List<byte[]> bytes = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    byte[] value = new byte[values.to(i) - values.from(i)];
                    in.bytes().get(values.from(i), value);
                    bytes.add(value);
                }
                yield new TfFeature(TfExample.Kind.BYTES, bytes, NO_FLOATS, NO_INT64S);
            }
        };
    }

    TfExample.Kind kind() {
        return kind;
    }

    List<byte[]> bytes() {
        return bytes.stream().map(byte[]::clone).toList();
    }

    float[] floats() {
        return floats.clone();
    }

    long[] int64s() {
        return int64s.clone();
    }

    int count() {
        return bytes.size() + floats.length + int64s.length;
    }

    /** Returns this feature as a {@code Feature} message. */
    ProtoWriter message() {
        ProtoWriter list = new ProtoWriter();
        switch (kind) {
            case EMPTY -> {
                return list;
            }
            case BYTES -> bytes.forEach(value -> list.bytes(1, value));
            case FLOATS -> list.packed(1, floats);
            case INT64S -> list.packed(1, int64s);
        }
        return new ProtoWriter().message(kind.field(), list);
    }
}
