package dev.edl.examples;

import java.util.Locale;
import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Value of a flag that sets the changes to a run: {@code on} for those of the walk-through, {@code off} for none, or the
 * seed of {@link RandomFaults}.
 *
 * @param walkThrough whether the run has the changes of the walk-through
 * @param seed seed of the random faults; empty for none
 */
public record ChaosFlag(boolean walkThrough, OptionalLong seed) {
    /** The changes of the walk-through. */
    public static final ChaosFlag ON = new ChaosFlag(true, OptionalLong.empty());

    private static final ChaosFlag OFF = new ChaosFlag(false, OptionalLong.empty());

    /** Returns the value as the flag has it. */
    @Override
    public String toString() {
        return seed.isPresent() ? Long.toString(seed.getAsLong()) : walkThrough ? "on" : "off";
    }

    /** Parses the flag. */
    public static final class Converter implements ITypeConverter<ChaosFlag> {
        /** Creates the converter; picocli does so. */
        public Converter() {}

        @Override
        public ChaosFlag convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "on" -> ON;
                case "off" -> OFF;
                default -> new ChaosFlag(false, OptionalLong.of(seed(value)));
            };
        }

        private static long seed(String value) {
            try {
                return Long.parseLong(value);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("expected on, off or a seed such as 7, but was '" + value + "'");
            }
        }
    }
}
