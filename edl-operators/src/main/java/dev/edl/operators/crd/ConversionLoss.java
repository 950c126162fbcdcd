package dev.edl.operators.crd;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that the other side cannot say.
 *
 * @param path where it was said: of a job {@code worker.exitCodes}, of a resource {@code spec.tensorboard}
 * @param value what was said: a text or number as it is, a map or list as JSON on one line
 * @param why why the other side cannot say it, and what counts there instead
 */
public record ConversionLoss(String path, String value, String why) {
    /** Checks that nothing is null. */
    public ConversionLoss {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(why, "why");
    }

    /**
     * A loss of plain data.
     *
     * @param value maps, lists, texts, numbers, booleans and null; anything else by its {@code toString}
     */
    public static ConversionLoss of(String path, @Nullable Object value, String why) {
        return new ConversionLoss(path, PlainData.text(value), why);
    }

    /** For example {@code spec.tensorboard = {"logDir":"/tmp"}: a job has no TensorBoard}. */
    @Override
    public String toString() {
        return path + " = " + value + ": " + why;
    }
}
