package dev.edl;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a replica's exit code means for its relaunch.
 *
 * <p>The default is ElasticDL's: 137 (killed from outside) relaunches without spending the limit unless the reason is
 * {@code OOMKilled}; every other code spends it. Codes of {@code fatal} end the job at once: by default 70, BSD's
 * EX_SOFTWARE, with which EDL's own runtime says that no repetition can help.
 *
 * @param free codes that relaunch without spending the relaunch limit, 1 to 255
 * @param fatal codes that fail the job, 1 to 255; disjoint from {@code free}
 */
public record ExitCodePolicy(Set<Integer> free, Set<Integer> fatal) {
    /** The default: 137 is free, as in ElasticDL, and 70 is fatal. */
    public static final ExitCodePolicy ELASTICDL = new ExitCodePolicy(Set.of(137), Set.of(70));

    /**
     * The first TfJob operator's: 128 and above, which are signals, relaunch freely; together with a relaunch limit of 0, all else
     * and want of memory are a replica's end. The job goes on without it, unless it was one that the job cannot do without.
     */
    public static final ExitCodePolicy TFJOB_V1ALPHA1 = new ExitCodePolicy(codes(128, 255), Set.of());

    /**
     * The first MxJob operator's, of a program that leaves no termination message, as hardly any does: every code relaunches freely
     * and for ever; together with a relaunch limit of 0, want of memory alone is a replica's end. Codes that mean what they say
     * are {@link #TFJOB_V1ALPHA1}.
     */
    public static final ExitCodePolicy MXJOB_V1BETA1 = new ExitCodePolicy(codes(1, 255), Set.of());

    /** Kubeflow's {@code ExitCode} since its training operator 1.5: 128 and above relaunch freely, all else fails the job. */
    public static final ExitCodePolicy KUBEFLOW = new ExitCodePolicy(codes(128, 255), codes(1, 127));

    /** Kubeflow's {@code ExitCode} up to 1.4: 130, 137, 138 and 143 relaunch freely, all else fails the job. */
    public static final ExitCodePolicy KUBEFLOW_1_4 =
            new ExitCodePolicy(Set.of(130, 137, 138, 143), without(codes(1, 255), Set.of(130, 137, 138, 143)));

    /** Copies both sets, sorted, and checks ranges and overlap. */
    public ExitCodePolicy {
        free = sorted("free", free);
        fatal = sorted("fatal", fatal);
        for (int code : free) {
            if (fatal.contains(code)) {
                throw new IllegalArgumentException("exit code " + code + " cannot be both free and fatal");
            }
        }
    }

    private static Set<Integer> codes(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().collect(Collectors.toSet());
    }

    private static Set<Integer> without(Set<Integer> codes, Set<Integer> others) {
        Set<Integer> rest = new TreeSet<>(codes);
        rest.removeAll(others);
        return rest;
    }

    private static Set<Integer> sorted(String name, Set<Integer> codes) {
        for (int code : codes) {
            if (code < 1 || code > 255) {
                throw new IllegalArgumentException(
                        name + " exit codes lie between 1 and 255, for example 137; was " + code);
            }
        }
        return java.util.Collections.unmodifiableSet(new TreeSet<>(codes));
    }
}
