package dev.edl.runtime.data.idx;

import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.RecordNames;
import dev.edl.runtime.model.Batch;
import java.nio.ByteBuffer;

/**
 * Record format of a labelled grey image: one unsigned byte for each pixel, then one with the class index.
 *
 * <pre>{@code
 * LabelledPixels digits = new LabelledPixels(64, 1f / 16);   // pixels 0..16 become features 0..1
 * writer.write(digits.encode(pixels, 7));
 * RecordIoDataset train = RecordIoDataset.open(Path.of("train"), digits);
 * }</pre>
 *
 * @param pixels pixels of one image, at least 1
 * @param scale factor by which a pixel's value is multiplied to give the feature
 */
public record LabelledPixels(int pixels, float scale) implements RecordFormat {
    /** Checks that there is a pixel and that the scale is finite. */
    public LabelledPixels {
        if (pixels < 1) {
            throw new IllegalArgumentException("an image must have at least 1 pixel, was " + pixels);
        }
        if (!Float.isFinite(scale)) {
            throw new IllegalArgumentException("the scale must be finite, for example 0.0625, was " + scale);
        }
    }

    /** {@inheritDoc} The pixels. */
    @Override
    public int features() {
        return pixels;
    }

    /** {@inheritDoc} Always 1, the class index. */
    @Override
    public int labels() {
        return 1;
    }

    /** {@inheritDoc} Labels are the numbers of the record. */
    @Override
    public RecordNames names() {
        return RecordNames.numbered();
    }

    @Override
    public void decode(byte[] record, Batch into) {
        decode(ByteBuffer.wrap(record), into);
    }

    @Override
    public void decode(ByteBuffer record, Batch into) {
        if (record.remaining() != pixels + 1) {
            throw new IllegalArgumentException("expected " + (pixels + 1) + " bytes (" + pixels
                    + " pixels and a label), found " + record.remaining());
        }
        int row = into.row();
        float[] features = into.features();
        int first = row * pixels;
        int start = record.position();
        for (int i = 0; i < pixels; i++) {
            features[first + i] = (record.get(start + i) & 0xff) * scale;
        }
        into.labels()[row] = record.get(start + pixels) & 0xff;
    }

    /**
     * Returns the bytes of a record with the given image and label.
     *
     * @param image values of the {@link #pixels()} pixels, each from 0 to 255
     * @param label class index, from 0 to 255
     */
    public byte[] encode(int[] image, int label) {
        if (image.length != pixels) {
            throw new IllegalArgumentException("an image must have " + pixels + " pixels, was " + image.length);
        }
        byte[] record = new byte[pixels + 1];
        for (int i = 0; i < pixels; i++) {
            record[i] = unsignedByte("pixel " + i, image[i]);
        }
        record[pixels] = unsignedByte("the label", label);
        return record;
    }

    private static byte unsignedByte(String what, int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException(what + " must be 0 to 255, was " + value);
        }
        return (byte) value;
    }
}
