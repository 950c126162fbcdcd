package dev.edl.runtime.data.npy;

/** Type of an array's elements, with its name in a {@code .safetensors} file. */
enum ElementType {
    F32(Float.BYTES),
    F64(Double.BYTES),
    I64(Long.BYTES);

    final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    static ElementType of(NpzArray array) {
        return array.isLong() ? I64 : array.isDouble() ? F64 : F32;
    }
}
