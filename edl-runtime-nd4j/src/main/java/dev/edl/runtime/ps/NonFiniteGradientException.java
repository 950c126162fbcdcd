package dev.edl.runtime.ps;

/** Thrown when a gradient holds NaN or an infinity; no part of it was applied. */
public final class NonFiniteGradientException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int flatIndex;
    private final float value;

    public NonFiniteGradientException(int flatIndex, float value) {
        super("the gradient must be finite, was " + value + " at index " + flatIndex);
        this.flatIndex = flatIndex;
        this.value = value;
    }

    public NonFiniteGradientException(String table, long id, int element, float value) {
        super("the gradient of row " + id + " of " + table + " must be finite, was " + value + " at element "
                + element);
        this.flatIndex = -1;
        this.value = value;
    }

    /**
     * Returns the index of the first NaN or infinity in the flat vector, whose layout gives the parameter's name.
     * Returns -1 if the value is in a row of an embedding table, which the message names.
     */
    public int flatIndex() {
        return flatIndex;
    }

    /** Returns the first value that is not finite: NaN or an infinity. */
    public float value() {
        return value;
    }
}
