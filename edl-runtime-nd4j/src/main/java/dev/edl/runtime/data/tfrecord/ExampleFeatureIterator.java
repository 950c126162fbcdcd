package dev.edl.runtime.data.tfrecord;

/**
 * Iterates over the features of a tf.Example and ignores other fields.
 *
 * <p>The structure is {@code Example.features = 1}, {@code Features.feature = 1}, a map whose entries have the name in
 * field 1 and the {@code Feature} in field 2 (tensorflow/core/example/example.proto and feature.proto).
 */
final class ExampleFeatureIterator {
    /** Receiver of each feature, as positions in the buffer of its name and its {@code Feature} message. */
    @FunctionalInterface
    interface Sink {
        void feature(int nameFrom, int nameTo, int valueFrom, int valueTo);
    }

    private ExampleFeatureIterator() {}

    /** Passes the features to the sink in the order of the bytes; if a name occurs twice, the later feature counts. */
    static void of(ProtoReader in, int from, int to, Sink sink) {
        in.range(from, to);
        while (in.more()) {
            int end = field(in, 1);
            if (end >= 0) {
                features(in, in.at(), end, sink);
                in.range(end, to);
            }
        }
    }

    private static void features(ProtoReader in, int from, int to, Sink sink) {
        in.range(from, to);
        while (in.more()) {
            int end = field(in, 1);
            if (end >= 0) {
                entry(in, in.at(), end, sink);
                in.range(end, to);
            }
        }
    }

    private static void entry(ProtoReader in, int from, int to, Sink sink) {
        int nameFrom = from;
        int nameTo = from;
        int valueFrom = from;
        int valueTo = from;
        in.range(from, to);
        while (in.more()) {
            int tag = in.tag();
            if ((tag & 7) != ProtoReader.DELIMITED) {
                in.skip(tag);
                continue;
            }
            int end = in.delimited();
            if (tag >>> 3 == 1) {
                nameFrom = in.at();
                nameTo = end;
            } else if (tag >>> 3 == 2) {
                valueFrom = in.at();
                valueTo = end;
            }
            in.seek(end);
        }
        sink.feature(nameFrom, nameTo, valueFrom, valueTo);
    }

    /**
     * Returns the end of a message field with the given number and moves to its start; -1 if it skipped another field.
     */
    private static int field(ProtoReader in, int number) {
        int tag = in.tag();
        if (tag >>> 3 == number && (tag & 7) == ProtoReader.DELIMITED) {
            return in.delimited();
        }
        in.skip(tag);
        return -1;
    }
}
