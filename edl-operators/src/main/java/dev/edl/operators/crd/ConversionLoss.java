package dev.edl.operators.crd;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One setting that the target of a conversion cannot express.
 *
 * @param path of the setting in its source: of a job {@code worker.exitCodes}, of a resource {@code spec.tensorboard}
 * @param value of the setting: a string or number as it is, a map or list as JSON on one line
 * @param why the target cannot express it, and what applies instead
 */
public record ConversionLoss(String path, String value, String why) {
    /** Checks that nothing is null. */
    public ConversionLoss {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(why, "why");
    }

    /**
     * Creates a loss of plain data.
     *
     * @param value maps, lists, strings, numbers, booleans and null; any other object by its {@code toString}
     */
    public static ConversionLoss of(String path, @Nullable Object value, String why) {
        return new ConversionLoss(path, PlainData.text(value), why);
    }

    /** Returns for example {@code spec.tensorboard = {"logDir":"/tmp"}: a job has no TensorBoard}. */
    @Override
    public String toString() {
        return path + " = " + value + ": " + why;
    }
}
