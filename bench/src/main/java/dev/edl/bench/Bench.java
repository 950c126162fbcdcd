package dev.edl.bench;

import dev.edl.bench.harness.ChildJvm;
import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.PeerSoftware;
import dev.edl.bench.harness.ProcessorTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Measures the figures of a group, each measurement in its own JVM, and prints a line for each figure.
 *
 * <p>Before each measurement it waits for an idle machine. Each line reports how many processors other processes kept
 * busy meanwhile: on a busy machine figures mean little.
 */
public final class Bench {
    /** Average number of processors that other processes may use on a machine that counts as idle. */
    private static final double QUIET = 0.1;

    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final BenchArguments arguments;
    private final List<Measurement> group;
    private boolean good = true;

    private Bench(BenchArguments arguments, List<Measurement> group) {
        this.arguments = arguments;
        this.group = group;
    }

    /** Runs the program and exits with the codes that {@link BenchArguments#USAGE} describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int code;
        try {
            code = run(BenchArguments.parse(List.of(args)));
        } catch (IllegalArgumentException wrong) {
            System.err.println("bench/run: " + wrong.getMessage());
            System.err.println(BenchArguments.USAGE);
            code = 2;
        }
        System.exit(code);
    }

    private static int run(BenchArguments arguments) throws IOException, InterruptedException {
        List<Measurement> group = MeasurementGroups.of(arguments.group());
        List<Figure> all = group.stream().flatMap(m -> m.figures().stream()).toList();
        for (String asked : arguments.figures()) {
            if (all.stream().noneMatch(figure -> BenchArguments.covers(asked, figure))) {
                throw new IllegalArgumentException("there is no figure \"" + asked + "\" in " + arguments.group()
                        + "; it has " + all.stream().map(Figure::name).collect(Collectors.joining(", ")));
            }
        }
        if (arguments.list()) {
            all.stream()
                    .filter(arguments::wants)
                    .forEach(f -> System.out.println(f.name() + "\t" + f.goal() + "\t# " + f.meaning()));
            return 0;
        }
        return new Bench(arguments, group).takeAll();
    }

    private int takeAll() throws IOException, InterruptedException {
        Map<PeerSoftware, Optional<Path>> pythons = new EnumMap<>(PeerSoftware.class);
        for (Measurement measurement : group) {
            List<Figure> wanted = new ArrayList<>();
            Optional<Path> python = Optional.empty();
            for (Figure figure : measurement.figures()) {
                if (!arguments.wants(figure)) {
                    continue;
                }
                Optional<PeerSoftware> peer = figure.peer();
                if (peer.isEmpty()) {
                    wanted.add(figure);
                } else if (arguments.skippedPeers().contains(peer.get())) {
                    System.out.println("# " + figure.name() + " is left out: --skip-peer "
                            + peer.get().id());
                } else {
                    if (!pythons.containsKey(peer.get())) {
                        pythons.put(peer.get(), peer.get().install());
                    }
                    Optional<Path> found = pythons.get(peer.get());
                    if (found.isPresent()) {
                        python = found;
                        wanted.add(figure);
                    } else {
                        good = false;
                        System.out.println("# " + figure.name() + " is not taken: " + peer.get()
                                + " could not be installed; --skip-peer "
                                + peer.get().id() + " leaves it out");
                    }
                }
            }
            if (!wanted.isEmpty()) {
                take(measurement, wanted, python);
            }
        }
        return good || arguments.quick() ? 0 : 1;
    }

    private void take(Measurement measurement, List<Figure> wanted, Optional<Path> python)
            throws IOException, InterruptedException {
        boolean quiet = ProcessorTime.awaitQuiet(QUIET, Duration.ofSeconds(arguments.patience()));
        Optional<ProcessorTime> before = ProcessorTime.now();
        Path result = Files.createTempFile("edl-bench-", ".txt");
        try {
            int code = child(measurement, wanted, python, result);
            double others =
                    before.isPresent() ? ProcessorTime.now().orElseThrow().othersSince(before.get()) : Double.NaN;
            List<ResultLine> lines =
                    Files.readAllLines(result).stream().map(ResultLine::parse).toList();
            for (Figure figure : wanted) {
                Optional<ResultLine> line = lines.stream()
                        .filter(l -> l.name().equals(figure.name()))
                        .findFirst();
                if (code != 0 || line.isEmpty()) {
                    good = false;
                    System.out.println("# " + figure.name() + " could not be taken (exit code " + code
                            + "); standard error has the reason");
                } else {
                    print(line.get(), others, quiet);
                }
            }
        } finally {
            Files.deleteIfExists(result);
        }
    }

    private void print(ResultLine line, double others, boolean quiet) {
        String noise = Double.isNaN(others)
                ? "load of others unknown"
                : String.format(Locale.ROOT, "others used %.2f processors", others);
        ResultLine full = new ResultLine(
                line.name(),
                line.ratio(),
                line.goal(),
                line.conditions() + "; " + noise
                        + (quiet ? "" : ", the machine was not idle after " + arguments.patience() + " s")
                        + (arguments.quick() ? "; quick: means nothing" : "")
                        + (line.good() || arguments.quick() ? "" : "; SHORT"));
        good &= line.good();
        System.out.println(full);
    }

    /** Runs a measurement in a JVM with this one's flags, and returns its exit code. */
    private int child(Measurement measurement, List<Figure> wanted, Optional<Path> python, Path result)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                arguments.group(),
                result.toString(),
                "" + arguments.rounds(),
                "" + arguments.quick(),
                python.map(Path::toString).orElse("")));
        wanted.forEach(f -> words.add(f.name()));
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(MeasurementJvm.class, words));
        // Output of libraries must not mix with the lines.
        builder.redirectError(ProcessBuilder.Redirect.INHERIT).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        process.getOutputStream().close();
        Thread killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                System.err.println("bench/run: "
                        + measurement.figures().stream().map(Figure::name).collect(Collectors.joining(", "))
                        + " was not done within " + LONGEST.toMinutes() + " minutes");
            }
            return process.waitFor();
        } finally {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }
}
