package dev.edl.spec;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Effect of a replica's exit code on its relaunch.
 *
 * <p>The default is {@link #ELASTICDL}:
 *
 * <ul>
 *   <li>137, killed from outside, is free: the replica relaunches at once and does not spend the relaunch limit.
 *   <li>70, BSD's EX_SOFTWARE, is fatal: it fails the job. EDL's own runtime exits with it when no retry can help.
 *   <li>75, BSD's EX_TEMPFAIL, is temporary: the replica requests a retry for a reason outside the job.
 *   <li>143, terminated by SIGTERM, is temporary too: a person or the node stopped the replica.
 *   <li>Every other code spends a relaunch.
 * </ul>
 *
 * <p>After a temporary code the replica relaunches after 1 s and does not spend the relaunch limit. The delay doubles
 * with each consecutive temporary code, to at most 1 minute. It resets to 1 s after another end, and for a replica that
 * ended a minute or more after its creation. The number of these relaunches is unlimited; the job's deadline still
 * applies.
 *
 * <p>A replica that was {@code OOMKilled}, or that exceeded its disk limit, spends a relaunch regardless of its exit code.
 *
 * @param free codes that relaunch at once without spending the relaunch limit, 1 to 255
 * @param fatal codes that fail the job, 1 to 255
 * @param temporary codes that relaunch after a growing delay without spending the relaunch limit, 1 to 255; the three
 *     sets are disjoint
 */
public record ExitCodePolicy(Set<Integer> free, Set<Integer> fatal, Set<Integer> temporary) {
    /** The default: 137 is free, as in ElasticDL, 70 is fatal, 75 and 143 are temporary. */
    public static final ExitCodePolicy ELASTICDL = new ExitCodePolicy(Set.of(137), Set.of(70), Set.of(75, 143));

    /**
     * Policy of the first TfJob operator: codes of 128 and above, which are signals, relaunch freely. With a relaunch
     * limit of 0, every other code and an OOM kill end the replica. The job fails only if it requires that replica.
     */
    public static final ExitCodePolicy TFJOB_V1ALPHA1 = new ExitCodePolicy(codes(128, 255), Set.of());

    /**
     * Policy of the first MxJob operator for programs without a termination message; few programs write one. Every code
     * relaunches freely and without limit. With a relaunch limit of 0, only an OOM kill ends a replica. For programs
     * with meaningful exit codes use {@link #TFJOB_V1ALPHA1}.
     */
    public static final ExitCodePolicy MXJOB_V1BETA1 = new ExitCodePolicy(codes(1, 255), Set.of());

    /**
     * Policy {@code ExitCode} of Kubeflow's training operator since 1.5: 128 and above relaunch freely, all other codes
     * fail the job.
     */
    public static final ExitCodePolicy KUBEFLOW = new ExitCodePolicy(codes(128, 255), codes(1, 127));

    /**
     * Policy {@code ExitCode} of Kubeflow up to 1.4: 130, 137, 138 and 143 relaunch freely, all other codes fail the
     * job.
     */
    public static final ExitCodePolicy KUBEFLOW_1_4 =
            new ExitCodePolicy(Set.of(130, 137, 138, 143), without(codes(1, 255), Set.of(130, 137, 138, 143)));

    /**
     * Copies the sets, sorted, and checks them.
     *
     * @throws IllegalArgumentException if a code is below 1 or above 255, or in two sets
     */
    public ExitCodePolicy {
        free = sorted("free", 137, free);
        fatal = sorted("fatal", 70, fatal);
        temporary = sorted("temporary", 75, temporary);
        disjoint("free", free, "fatal", fatal);
        disjoint("free", free, "temporary", temporary);
        disjoint("fatal", fatal, "temporary", temporary);
    }

    /** Creates a policy without temporary codes. */
    public ExitCodePolicy(Set<Integer> free, Set<Integer> fatal) {
        this(free, fatal, Set.of());
    }

    private static void disjoint(String name, Set<Integer> codes, String otherName, Set<Integer> others) {
        for (int code : codes) {
            if (others.contains(code)) {
                throw new IllegalArgumentException(
                        "exit code " + code + " cannot be both " + name + " and " + otherName);
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

    private static Set<Integer> sorted(String name, int example, Set<Integer> codes) {
        for (int code : codes) {
            if (code < 1 || code > 255) {
                throw new IllegalArgumentException(
                        name + " exit codes lie between 1 and 255, for example " + example + "; was " + code);
            }
        }
        return java.util.Collections.unmodifiableSet(new TreeSet<>(codes));
    }
}
