package dev.edl.elasticdl;

import dev.edl.Job;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Flag of ElasticDL's command line: the commands that have it, its values and its default.
 *
 * @param name without the dashes
 * @param kind kind of its value
 * @param ofJob whether it is a setting of the {@link Job}, read into the job and written from it
 * @param least least value of a number
 * @param choices of a word
 * @param eras versions that have it
 * @param verbs verbs that have it
 * @param defaults by version; empty text in a version without a default
 * @param requiredIn versions in which every verb that has it requires it
 * @param requiredFor verbs that require it in every version
 */
record ElasticDlFlag(
        String name,
        Kind kind,
        boolean ofJob,
        int least,
        List<String> choices,
        Set<ElasticDlVersion> eras,
        Set<ElasticDlVerb> verbs,
        Map<ElasticDlVersion, String> defaults,
        Set<ElasticDlVersion> requiredIn,
        Set<ElasticDlVerb> requiredFor) {

    /** Kind of a flag's value. */
    enum Kind {
        /** Any text. */
        TEXT,
        /** A whole number. */
        NUMBER,
        /** True or false; the bare flag inverts its default. */
        TRUTH,
        /** One of a few words. */
        WORD,
        /** {@code k=v; k2=v2}. */
        PARAMETERS,
        /** {@code cpu=2,memory=2048Mi}. */
        RESOURCES,
        /** {@code default}, {@code none} or {@code index:relaunches,…}. */
        CRITICAL_WORKERS,
        /** A function or class in a file: {@code mnist.mnist.custom_model}. */
        SYMBOL
    }

    private static final int NO_LEAST = Integer.MIN_VALUE;

    static ElasticDlFlag of(String name, Kind kind) {
        return new ElasticDlFlag(
                name,
                kind,
                false,
                NO_LEAST,
                List.of(),
                EnumSet.allOf(ElasticDlVersion.class),
                EnumSet.allOf(ElasticDlVerb.class),
                Map.of(),
                Set.of(),
                Set.of());
    }

    ElasticDlFlag job() {
        return new ElasticDlFlag(name, kind, true, least, choices, eras, verbs, defaults, requiredIn, requiredFor);
    }

    ElasticDlFlag least(int least) {
        return new ElasticDlFlag(name, kind, ofJob, least, choices, eras, verbs, defaults, requiredIn, requiredFor);
    }

    ElasticDlFlag choices(String... words) {
        return new ElasticDlFlag(
                name, kind, ofJob, least, List.of(words), eras, verbs, defaults, requiredIn, requiredFor);
    }

    ElasticDlFlag in(ElasticDlVersion... known) {
        return new ElasticDlFlag(
                name, kind, ofJob, least, choices, Set.of(known), verbs, defaults, requiredIn, requiredFor);
    }

    ElasticDlFlag of(ElasticDlVerb... known) {
        return new ElasticDlFlag(
                name, kind, ofJob, least, choices, eras, Set.of(known), defaults, requiredIn, requiredFor);
    }

    /** Returns this flag with one default in all versions. */
    ElasticDlFlag or(String value) {
        return or(value, value, value);
    }

    ElasticDlFlag or(String march, String july, String release) {
        Map<ElasticDlVersion, String> values = Map.of(
                ElasticDlVersion.MARCH_2020,
                march,
                ElasticDlVersion.JULY_2020,
                july,
                ElasticDlVersion.RELEASE_1_0,
                release);
        return new ElasticDlFlag(name, kind, ofJob, least, choices, eras, verbs, values, requiredIn, requiredFor);
    }

    ElasticDlFlag requiredIn(ElasticDlVersion... needing) {
        return new ElasticDlFlag(
                name, kind, ofJob, least, choices, eras, verbs, defaults, Set.of(needing), requiredFor);
    }

    ElasticDlFlag requiredFor(ElasticDlVerb... needing) {
        return new ElasticDlFlag(name, kind, ofJob, least, choices, eras, verbs, defaults, requiredIn, Set.of(needing));
    }

    boolean known(ElasticDlVersion version, ElasticDlVerb verb) {
        return eras.contains(version) && verbs.contains(verb);
    }

    boolean required(ElasticDlVersion version, ElasticDlVerb verb) {
        return requiredIn.contains(version) || requiredFor.contains(verb);
    }

    /** Returns the value of an absent flag; empty where the flag is required. */
    Optional<String> fallback(ElasticDlVersion version, ElasticDlVerb verb) {
        return required(version, verb) ? Optional.empty() : Optional.of(defaults.getOrDefault(version, ""));
    }

    /** Returns the value of a bare flag. */
    String bare(ElasticDlVersion version) {
        return Boolean.toString(!Boolean.parseBoolean(defaults.getOrDefault(version, "")));
    }

    boolean hasLeast() {
        return least != NO_LEAST;
    }

    /** Returns the flag as in the command line: {@code --num_workers}. */
    @Override
    public String toString() {
        return "--" + name;
    }
}
