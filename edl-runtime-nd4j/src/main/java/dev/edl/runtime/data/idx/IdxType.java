package dev.edl.runtime.data.idx;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Element type of an IDX file; big-endian. The codes are those of the MNIST database's description. */
public enum IdxType {
    /** 0 to 255. */
    UNSIGNED_BYTE(0x08, 1, 0, 255),
    /** -128 to 127. */
    SIGNED_BYTE(0x09, 1, Byte.MIN_VALUE, Byte.MAX_VALUE),
    /** 16-bit whole numbers. */
    SHORT(0x0b, 2, Short.MIN_VALUE, Short.MAX_VALUE),
    /** 32-bit whole numbers. */
    INT(0x0c, 4, Integer.MIN_VALUE, Integer.MAX_VALUE),
    /** 32-bit floats. */
    FLOAT(0x0d, 4, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
    /** 64-bit floats. */
    DOUBLE(0x0e, 8, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    private final int code;
    private final int size;
    private final double least;
    private final double most;

    IdxType(int code, int size, double least, double most) {
        this.code = code;
        this.size = size;
        this.least = least;
        this.most = most;
    }

    int code() {
        return code;
    }

    /** Returns the size of one element in bytes. */
    int size() {
        return size;
    }

    static Optional<IdxType> ofCode(int code) {
        for (IdxType type : values()) {
            if (type.code == code) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** Returns whether an element of this type can represent a value; for floats, possibly rounded. */
    boolean holds(double value) {
        return least == Double.NEGATIVE_INFINITY || (value == Math.rint(value) && value >= least && value <= most);
    }

    /** Reads the next element of a big-endian buffer; each type fits a double exactly. */
    double get(ByteBuffer from) {
        return switch (this) {
            case UNSIGNED_BYTE -> from.get() & 0xff;
            case SIGNED_BYTE -> from.get();
            case SHORT -> from.getShort();
            case INT -> from.getInt();
            case FLOAT -> from.getFloat();
            case DOUBLE -> from.getDouble();
        };
    }

    void put(double value, ByteBuffer to) {
        switch (this) {
            case UNSIGNED_BYTE, SIGNED_BYTE -> to.put((byte) (int) value);
            case SHORT -> to.putShort((short) value);
            case INT -> to.putInt((int) value);
            case FLOAT -> to.putFloat((float) value);
            case DOUBLE -> to.putDouble(value);
        }
    }
}
