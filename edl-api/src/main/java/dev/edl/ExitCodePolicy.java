package dev.edl;

import java.util.Set;
import java.util.TreeSet;

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
