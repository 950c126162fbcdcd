package dev.edl.runtime.ps;

/** A gradient held NaN or an infinity; nothing of it was applied. */
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
     * Where the first such value stands in the flat vector, of which the layout gives the parameter's name; -1 when it
     * stands in a row of an embedding table, which the message names.
     */
    public int flatIndex() {
        return flatIndex;
    }

    /** The value: NaN or an infinity. */
    public float value() {
        return value;
    }
}
