package dev.edl.operators.crd;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Setting of a job or resource that the target of a conversion cannot express.
 *
 * @param path path of the setting in the converted job, such as {@code worker.exitCodes}, or in the converted resource,
 *     such as {@code spec.tensorboard}
 * @param value value of the setting: a string or number unchanged, a map or list as JSON on one line
 * @param why reason why the target cannot express the setting, and what applies instead
 */
public record ConversionLoss(String path, String value, String why) {
    /** Checks that no component is null. */
    public ConversionLoss {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(why, "why");
    }

    /**
     * Creates a loss from a setting's value as plain data.
     *
     * @param value map, list, string, number, boolean or null; any other object is written by its {@code toString}
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
