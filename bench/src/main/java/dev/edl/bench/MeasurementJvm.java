package dev.edl.bench;

import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Main program of the JVM that takes the figures of one measurement and writes their lines to a file. */
public final class MeasurementJvm {
    private static final int FIRST_FIGURE = 5;

    private MeasurementJvm() {}

    /**
     * Arguments: {@code GROUP RESULT ROUNDS QUICK PYTHON FIGURE...}. RESULT is the file for the lines, PYTHON may be
     * empty, and all figures are of one measurement.
     */
    public static void main(String[] args) throws Exception {
        List<String> words = List.of(args);
        List<String> names = words.subList(FIRST_FIGURE, words.size());
        MeasurementSettings settings = new MeasurementSettings(
                Set.copyOf(names),
                Integer.parseInt(args[2]),
                Boolean.parseBoolean(args[3]),
                args[4].isEmpty() ? Optional.empty() : Optional.of(Path.of(args[4])));
        Measurement measurement = MeasurementGroups.of(args[0]).stream()
                .filter(m -> m.figures().stream().anyMatch(settings::wants))
                .findFirst()
                .orElseThrow();
        RoundRatios rounds = measurement.measure(settings);
        List<String> lines = measurement.figures().stream()
                .filter(settings::wants)
                .map(f -> new ResultLine(f.name(), rounds.ratio(f), f.goal(), rounds.conditions(f)).toString())
                .toList();
        Files.write(Path.of(args[1]), lines);
        // A peer may have left threads running.
        System.exit(0);
    }
}
