package dev.edl.operators.controller.internal;

import dev.edl.Job;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Settings of a job that a user writes as annotations, because TfJob and MxJob have no field for them:
 * {@code edl.dev/cleanup}, {@code edl.dev/ttl}, {@code edl.dev/deadline}, {@code edl.dev/backoff} and
 * {@code edl.dev/relaunch-limit}. Pure.
 */
public record JobAnnotations(
        Optional<CleanupPolicy> cleanup,
        Optional<Duration> ttl,
        Optional<Duration> deadline,
        Optional<Duration> backoff,
        OptionalInt relaunchLimit) {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final List<String> KEYS = List.of("cleanup", "ttl", "deadline", "backoff", "relaunch-limit");

    /**
     * Reads an object's annotations.
     *
     * @throws InvalidResourceException with every mistake
     */
    public static JobAnnotations of(CustomObject object) {
        Map<?, ?> notes = notes(object);
        List<String> mistakes = new ArrayList<>();
        Optional<Duration> ttl = duration(notes, "ttl", mistakes);
        Optional<Duration> deadline = duration(notes, "deadline", mistakes);
        Optional<Duration> backoff = duration(notes, "backoff", mistakes);
        Optional<CleanupPolicy> cleanup = read(notes, "cleanup", "one of none, running, all", mistakes, text -> {
            return Arrays.stream(CleanupPolicy.values())
                    .filter(policy -> policy.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst();
        });
        Optional<Integer> limit = read(notes, "relaunch-limit", "a number such as 3", mistakes, text -> {
            return text.matches("[0-9]{1,6}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
        });
        if (!mistakes.isEmpty()) {
            throw new InvalidResourceException(object.kind() + " \"" + object.name() + "\"", mistakes);
        }
        return new JobAnnotations(
                cleanup, ttl, deadline, backoff, limit.map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    /**
     * Returns text for people about each of these annotations that an object has, for a kind on which they have no
     * effect.
     */
    public static List<String> unfollowed(CustomObject object) {
        return KEYS.stream()
                .map(key -> "edl.dev/" + key)
                .filter(notes(object)::containsKey)
                .map(key -> "metadata.annotations." + key + " \""
                        + notes(object).get(key) + "\", which is for TfJobs and MxJobs")
                .toList();
    }

    private static Map<?, ?> notes(CustomObject object) {
        Map<?, ?> metadata = object.fields().get("metadata") instanceof Map<?, ?> map ? map : Map.of();
        return metadata.get("annotations") instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Optional<Duration> duration(Map<?, ?> notes, String key, List<String> mistakes) {
        return read(notes, key, "a duration such as PT1H30M", mistakes, text -> {
            try {
                return Optional.of(Duration.parse(text)).filter(duration -> !duration.isNegative());
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        });
    }

    private static <T> Optional<T> read(
            Map<?, ?> notes, String key, String form, List<String> mistakes, Function<String, Optional<T>> reader) {
        Object text = notes.get("edl.dev/" + key);
        if (text == null) {
            return Optional.empty();
        }
        Optional<T> value = reader.apply(String.valueOf(text));
        if (value.isEmpty()) {
            mistakes.add("metadata.annotations.edl.dev/" + key + " must be " + form + ", was \"" + text + "\"");
        }
        return value;
    }

    /** Returns whether the controller still has work after the job's end, because a time to live or cleanup is set. */
    public boolean outliveTheEnd() {
        return ttl.isPresent() || cleanup.isPresent();
    }

    /** Returns a copy of the job with these settings. */
    public Job onto(Job job) {
        RunPolicy.Builder policy = RunPolicy.builder().from(job.spec().policy());
        cleanup.ifPresent(policy::cleanup);
        ttl.ifPresent(policy::ttl);
        deadline.ifPresent(policy::deadline);
        backoff.ifPresent(
                first -> policy.backoff(Backoff.doubling(first, first.compareTo(LONGEST) > 0 ? first : LONGEST)));
        List<RoleSpec> roles = job.spec().roles().stream()
                .map(role -> RoleSpec.builder()
                        .from(role)
                        .template(limited(role.template()))
                        .build())
                .toList();
        return Job.of(JobSpec.builder()
                .from(job.spec())
                .policy(policy.build())
                .roles(roles)
                .build());
    }

    private RoleTemplate limited(RoleTemplate template) {
        return relaunchLimit.isEmpty()
                ? template
                : RoleTemplate.builder()
                        .from(template)
                        .relaunchLimit(relaunchLimit.getAsInt())
                        .build();
    }
}
