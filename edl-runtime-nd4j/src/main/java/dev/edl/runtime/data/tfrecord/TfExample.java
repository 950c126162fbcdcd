package dev.edl.runtime.data.tfrecord;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Immutable {@code tf.train.Example}: named lists of bytes, floats or whole numbers.
 *
 * <p>TensorFlow writes them into TFRecord files, ElasticDL into RecordIO files.
 *
 * <pre>{@code
 * byte[] record = TfExample.builder().floats("image", pixels).int64s("label", 7).build().toBytes();
 * TfExample.parse(record).int64s("label");        // [7]
 * }</pre>
 *
 * <p>To train on such records, use {@link ExampleDecoder}.
 */
public final class TfExample {
    private static final int MOST_LISTED = 20;

    /** Element type of a feature's list. */
    public enum Kind {
        /** Nothing: the feature has a name but no list. */
        EMPTY(0, "nothing"),
        /** Byte strings. */
        BYTES(1, "a bytes list"),
        /** 32-bit floats. */
        FLOATS(2, "a float list"),
        /** 64-bit whole numbers. */
        INT64S(3, "an int64 list");

        private final int field;
        private final String text;

        Kind(int field, String text) {
            this.field = field;
            this.text = text;
        }

        /** Returns the field number that a list of this kind has in the message {@code Feature}. */
        int field() {
            return field;
        }

        /**
         * Returns the kind of list that has a field number in the message {@code Feature}; EMPTY for any other number.
         */
        static Kind ofField(int field) {
            return switch (field) {
                case 1 -> BYTES;
                case 2 -> FLOATS;
                case 3 -> INT64S;
                default -> EMPTY;
            };
        }

        String text() {
            return text;
        }
    }

    private final SortedMap<String, TfFeature> features;

    private TfExample(SortedMap<String, TfFeature> features) {
        this.features = features;
    }

    /** Returns an empty builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Parses a record. Accepts packed and unpacked lists, and ignores unknown fields.
     *
     * <p>If a name occurs twice, the later feature counts.
     *
     * @throws IllegalArgumentException when the bytes are not a {@code tf.train.Example} message; the exception names
     *     the byte
     */
    public static TfExample parse(byte[] record) {
        return parse(ByteBuffer.wrap(record));
    }

    private static TfExample parse(ByteBuffer record) {
        SortedMap<String, TfFeature> features = new TreeMap<>();
        ProtoReader in = new ProtoReader(record);
        ExampleValues values = new ExampleValues();
        ExampleFeatureIterator.of(in, record.position(), record.limit(), (nameFrom, nameTo, valueFrom, valueTo) -> {
            values.read(in, valueFrom, valueTo);
            features.put(name(in, nameFrom, nameTo), TfFeature.of(in, values));
        });
        return new TfExample(features);
    }

    /** Returns the names of this example's features, in ascending order. */
    public SortedSet<String> names() {
        return Collections.unmodifiableSortedSet((SortedSet<String>) features.keySet());
    }

    /** Returns the element type of a feature. */
    public Kind kind(String name) {
        return feature(name).kind();
    }

    /** Returns copies of the byte strings of a feature. */
    public List<byte[]> bytes(String name) {
        return feature(name, Kind.BYTES).bytes();
    }

    /** Returns a copy of the floats of a feature. */
    public float[] floats(String name) {
        return feature(name, Kind.FLOATS).floats();
    }

    /** Returns a copy of the whole numbers of a feature. */
    public long[] int64s(String name) {
        return feature(name, Kind.INT64S).int64s();
    }

    /** Returns the bytes of this example as a record, with features in ascending order of names and packed numbers. */
    public byte[] toBytes() {
        ProtoWriter all = new ProtoWriter();
        features.forEach((name, feature) ->
                all.message(1, new ProtoWriter().string(1, name).message(2, feature.message())));
        return new ProtoWriter().message(1, all).toByteArray();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TfExample that && Arrays.equals(toBytes(), that.toBytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toBytes());
    }

    /** Returns, for example, {@code TfExample["image": 784 in a float list, "label": 1 in an int64 list]}. */
    @Override
    public String toString() {
        return features.entrySet().stream()
                .limit(MOST_LISTED)
                .map(e -> "\"" + e.getKey() + "\": " + e.getValue().count() + " in "
                        + e.getValue().kind().text())
                .collect(Collectors.joining(", ", "TfExample[", features.size() > MOST_LISTED ? ", …]" : "]"));
    }

    /** Returns names in quotes, for messages. */
    static String listed(Iterable<String> names) {
        List<String> quoted = new ArrayList<>();
        names.forEach(name -> quoted.add("\"" + name + "\""));
        return quoted.isEmpty()
                ? "there is no feature at all"
                : "there are " + String.join(", ", quoted.subList(0, Math.min(quoted.size(), MOST_LISTED)))
                        + (quoted.size() > MOST_LISTED ? ", …" : "");
    }

    static String name(ProtoReader in, int from, int to) {
        ByteBuffer name = in.bytes().slice(from, to - from);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(name).toString();
        } catch (CharacterCodingException e) {
            throw in.corrupt(from, "the name of a feature in UTF-8", "invalid bytes");
        }
    }

    private TfFeature feature(String name) {
        TfFeature feature = features.get(name);
        if (feature == null) {
            throw new IllegalArgumentException("there is no feature \"" + name + "\"; " + listed(features.keySet()));
        }
        return feature;
    }

    private TfFeature feature(String name, Kind kind) {
        TfFeature feature = feature(name);
        if (feature.kind() != kind) {
            throw new IllegalArgumentException("feature \"" + name + "\": expected " + kind.text() + ", found "
                    + feature.kind().text());
        }
        return feature;
    }

    /** Builder of an example; if a name is added again, the later values count. Not safe for several threads. */
    public static final class Builder {
        private final Map<String, TfFeature> features = new TreeMap<>();

        private Builder() {}

        /** Adds a feature of copied byte strings. */
        public Builder bytes(String name, byte[]... values) {
            features.put(name, TfFeature.ofBytes(values));
            return this;
        }

        /** Adds a feature of copied floats. */
        public Builder floats(String name, float... values) {
            features.put(name, TfFeature.ofFloats(values));
            return this;
        }

        /** Adds a feature of copied whole numbers. */
        public Builder int64s(String name, long... values) {
            features.put(name, TfFeature.ofInt64s(values));
            return this;
        }

        /** Builds the example; the builder can be used again. */
        public TfExample build() {
            return new TfExample(new TreeMap<>(features));
        }

        /** Returns, for example, {@code TfExample.Builder["image", "label"]}. */
        @Override
        public String toString() {
            return features.keySet().stream()
                    .map(name -> "\"" + name + "\"")
                    .collect(Collectors.joining(", ", "TfExample.Builder[", "]"));
        }
    }
}
