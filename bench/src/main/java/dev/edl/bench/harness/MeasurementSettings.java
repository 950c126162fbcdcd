package dev.edl.bench.harness;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a measurement.
 *
 * @param wanted names of the figures to take; a measurement may skip work for its other figures
 * @param rounds number of turns of subject and peer, at least 1
 * @param quick whether only to check that everything runs: sizes and times are cut, and the ratios mean nothing
 * @param python the Python that has the measurement's peer; empty when no figure needs one
 */
public record MeasurementSettings(Set<String> wanted, int rounds, boolean quick, Optional<Path> python) {
    public MeasurementSettings {
        wanted = Set.copyOf(wanted);
    }

    /** Returns {@code small} in a quick run, otherwise {@code full}. */
    public int either(int full, int small) {
        return quick ? small : full;
    }

    /** Returns whether a figure is to be taken. */
    public boolean wants(Figure figure) {
        return wanted.contains(figure.name());
    }
}
