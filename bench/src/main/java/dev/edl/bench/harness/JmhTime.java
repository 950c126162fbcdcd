package dev.edl.bench.harness;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the time of one method by JMH, in one fork: the median of seven iterations of half a second, after three
 * warm-up iterations. A measurement calls it for the subject and its peers in turn, once a round.
 */
public final class JmhTime {
    private static final TimeValue ITERATION = TimeValue.milliseconds(500);
    private static final TimeValue QUICK = TimeValue.milliseconds(20);

    private JmhTime() {}

    /**
     * Returns the time of one call, in nanoseconds.
     *
     * @param type class of the benchmark
     * @param method name of the benchmark method
     * @param threads number of threads that call the method at the same time
     * @param parameters JMH parameters that differ from their defaults
     */
    public static double nanos(
            Class<?> type, String method, int threads, Map<String, String> parameters, MeasurementSettings settings)
            throws RunnerException {
        // Only one JMH may run on a machine at a time; a quick run, whose figures mean nothing, ignores that.
        System.setProperty("jmh.ignoreLock", "" + settings.quick());
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + type.getName().replace(".", "\\.").replace("$", "\\.") + "\\." + method + "$")
                .forks(1)
                .threads(threads)
                .warmupIterations(settings.either(3, 1))
                .warmupTime(settings.quick() ? QUICK : ITERATION)
                .measurementIterations(settings.either(7, 1))
                .measurementTime(settings.quick() ? QUICK : ITERATION)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        parameters.forEach(options::param);
        Collection<RunResult> results = new Runner(options.build()).run();
        if (results.size() != 1) {
            throw new IllegalStateException(type.getSimpleName() + "." + method + " gave " + results.size()
                    + " results for " + parameters + ", must be one");
        }
        List<Double> scores = new ArrayList<>();
        results.iterator().next().getBenchmarkResults().forEach(fork -> {
            for (IterationResult iteration : fork.getIterationResults()) {
                scores.add(iteration.getPrimaryResult().getScore());
            }
        });
        return RoundRatios.median(scores);
    }
}
