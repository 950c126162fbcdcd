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
 * @param name name of the flag, without the dashes
 * @param kind kind of the flag's value
 * @param ofJob whether the flag is a setting of the {@link Job}, read into the job and written from it
 * @param least smallest value of a number; {@link Integer#MIN_VALUE} without a bound
 * @param choices allowed values of the kind {@link Kind#WORD}
 * @param eras ElasticDL versions that have the flag
 * @param verbs actions that have the flag
 * @param defaults default by version; an empty text for a version without one
 * @param requiredIn versions in which every action that has the flag requires it
 * @param requiredFor actions that require the flag in every version
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
        /** True or false; the flag without a value means the inverse of its default. */
        TRUTH,
        /** One of the flag's {@code choices}. */
        WORD,
        /** Named parameters: {@code k=v; k2=v2}. */
        PARAMETERS,
        /** Amounts of resources: {@code cpu=2,memory=2048Mi}. */
        RESOURCES,
        /** Numbers of relaunches by worker index, {@code 0:1,2:3}, or {@code default} or {@code none}. */
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

    /** Returns a copy of this flag with the same default in all versions. */
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

    /**
     * Returns the value that applies if a command lacks the flag: the version's default; empty if the flag is required.
     */
    Optional<String> fallback(ElasticDlVersion version, ElasticDlVerb verb) {
        return required(version, verb) ? Optional.empty() : Optional.of(defaults.getOrDefault(version, ""));
    }

    /** Returns the meaning of this flag without a value, as in {@code --use_async}: the inverse of its default. */
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
