package dev.edl.exec;

import dev.edl.exec.RequestFailure.Request;
import dev.edl.reconcile.JobObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which requests of a control loop fail, since when, and when each is retried. Thread-safe: the loop records
 * failures, and any thread reads them for a status.
 *
 * <p>Each request has its own pause before a retry. If many of the requests that a pass sends together fail, the rest
 * of them is deferred ({@link #defer}), so that in an outage a job of 10,000 replicas sends only a few requests at a
 * time.
 */
final class FailureTracker {
    private final String job;
    private final RetryPolicy policy;
    private final Map<Key, Failure> failures = new LinkedHashMap<>();
    private final Map<Request, Gate> gates = new EnumMap<>(Request.class);

    /** A request of one kind for one subject: a replica's name, or the job's. */
    private record Key(Request request, String subject) {}

    private record Failure(FailureCause cause, Group group, Instant since, int tries, Instant next) {}

    /**
     * Pause of all failed or deferred requests of one kind, while many of them fail.
     *
     * @param times the number of consecutive groups without a success, which determines the pause
     * @param next the end of the pause
     */
    private record Gate(int times, Instant next) {}

    /**
     * Properties by which failed requests count as the same request failure. The message is without the replica's name
     * and has 0 for each number, since these differ between replicas and tries.
     */
    private record Group(Request request, String reason, String message) {}

    FailureTracker(String job, RetryPolicy policy) {
        this.job = job;
        this.policy = policy;
    }

    /** Records a success. Returns the request failure that it ends; empty if the request did not fail before. */
    synchronized Optional<RequestFailure> succeeded(Request request, String subject, Instant now) {
        Key key = new Key(request, subject);
        return Optional.ofNullable(failures.remove(key)).map(failure -> requestFailure(key, failure, now));
    }

    /** Records a failure. Returns whether its cause differs from that of the previous try, or there was none. */
    synchronized boolean failed(Request request, String subject, FailureCause cause, Instant now) {
        Key key = new Key(request, subject);
        @Nullable Failure before = failures.get(key);
        int tries = before == null ? 1 : before.tries() + 1;
        Instant next = now.plus(policy.pause(job + " " + request + " " + subject, tries, cause.permanent()));
        Group group = group(key, cause);
        failures.put(key, new Failure(cause, group, before == null ? now : before.since(), tries, next));
        return before == null || !group.equals(before.group());
    }

    /**
     * Records requests that were not tried, because others of their kind failed.
     *
     * @param failed the subject of a failed request, which the message of {@code cause} may name
     * @return the subjects for which no failure or deferral was recorded before
     */
    synchronized Set<String> defer(
            Request request, Collection<String> subjects, String failed, FailureCause cause, Instant now) {
        Set<String> news = new HashSet<>();
        for (String subject : subjects) {
            Key key = new Key(request, subject);
            Failure before = failures.get(key);
            FailureCause own = cause.of(failed, subject);
            Instant since = before == null ? now : before.since();
            int tries = before == null ? 0 : before.tries();
            failures.put(key, new Failure(own, group(key, own), since, tries, now));
            if (before == null) {
                news.add(subject);
            }
        }
        return news;
    }

    /**
     * Records the end of a group of requests of one kind. If some were deferred, all failing requests of the kind wait
     * for a pause. The pause grows with each further group without a success. It ends early once a request of a group
     * succeeds and none is deferred.
     *
     * @param deferred whether requests of the group were deferred
     * @param succeeded whether a request of the group succeeded
     */
    synchronized void grouped(Request request, boolean deferred, boolean succeeded, Instant now) {
        Gate gate = gates.get(request);
        if (deferred || (gate != null && !succeeded)) {
            int times = gate == null || succeeded ? 1 : gate.times() + 1;
            gates.put(request, new Gate(times, now.plus(policy.pause(job + " " + request, times, false))));
        } else {
            gates.remove(request);
        }
    }

    private Instant next(Map.Entry<Key, Failure> entry) {
        Instant next = entry.getValue().next();
        Gate gate = gates.get(entry.getKey().request());
        return gate != null && gate.next().isAfter(next) ? gate.next() : next;
    }

    /**
     * Forgets the failures of requests that are no longer needed. Failures of observations and of writes of the state
     * stay.
     *
     * @param wanted whether a request of a kind for a subject is still needed
     */
    synchronized void retain(BiPredicate<Request, String> wanted) {
        failures.keySet()
                .removeIf(key -> key.request() != Request.OBSERVE
                        && key.request() != Request.PERSIST
                        && !wanted.test(key.request(), key.subject()));
    }

    synchronized int tries(Request request, String subject) {
        Failure failure = failures.get(new Key(request, subject));
        return failure == null ? 0 : failure.tries();
    }

    /** Returns whether a request has failed or was deferred, and its pause is not over. */
    synchronized boolean held(Request request, String subject, Instant now) {
        Key key = new Key(request, subject);
        Failure failure = failures.get(key);
        return failure != null && next(Map.entry(key, failure)).isAfter(now);
    }

    /**
     * Adds the retry times of the failing requests to an observation, so that the reconciler does not decide them yet.
     */
    synchronized JobObservation holds(JobObservation seen) {
        if (failures.isEmpty()) {
            return seen;
        }
        Map<String, Instant> creations = new HashMap<>();
        Map<String, Instant> deletions = new HashMap<>();
        for (Map.Entry<Key, Failure> entry : failures.entrySet()) {
            Key key = entry.getKey();
            if (key.request() == Request.CREATE) {
                creations.put(key.subject(), next(entry));
            } else if (key.request() == Request.DELETE || key.request() == Request.COLLECT) {
                deletions.put(key.subject(), next(entry));
            }
        }
        return seen.holding(creations, deletions);
    }

    /**
     * Returns the time for which no pass may run, because the last observation or write of the state failed; empty if a
     * pass may run.
     */
    synchronized Optional<Duration> pause(Instant now) {
        return ofJob().map(Failure::next)
                .max(Comparator.naturalOrder())
                .filter(next -> next.isAfter(now))
                .map(next -> Duration.between(now, next));
    }

    /**
     * Returns the delay to the next retry; empty if none is due. Ignores requests whose pause ended before this pass.
     *
     * @param began the start of the pass
     */
    synchronized Optional<Duration> next(Instant began, Instant now) {
        return failures.entrySet().stream()
                .map(this::next)
                .filter(next -> next.isAfter(began))
                .min(Comparator.naturalOrder())
                .map(next -> next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO);
    }

    /** Returns since when every observation, or every write of the state, has failed; empty while both succeed. */
    synchronized Optional<Instant> unreachableSince() {
        return ofJob().map(Failure::since).min(Comparator.naturalOrder());
    }

    private Stream<Failure> ofJob() {
        return failures.entrySet().stream()
                .filter(e ->
                        e.getKey().request() == Request.OBSERVE || e.getKey().request() == Request.PERSIST)
                .map(Map.Entry::getValue);
    }

    /** Returns the failure of one request; empty if it neither failed nor was deferred. */
    synchronized Optional<RequestFailure> requestFailure(Request request, String subject, Instant now) {
        Key key = new Key(request, subject);
        return Optional.ofNullable(failures.get(key)).map(failure -> requestFailure(key, failure, now));
    }

    /** Returns all request failures, oldest first. */
    synchronized List<RequestFailure> requestFailures(Instant now) {
        Map<Group, RequestFailure> groups = new LinkedHashMap<>();
        Map<Group, List<String>> replicas = new HashMap<>();
        failures.forEach((key, failure) -> {
            Group group = failure.group();
            if (key.request().ofReplica()) {
                replicas.computeIfAbsent(group, g -> new ArrayList<>()).add(key.subject());
            }
            groups.merge(group, requestFailure(key, failure, now), FailureTracker::together);
        });
        List<RequestFailure> all = new ArrayList<>();
        groups.forEach((group, one) -> all.add(with(one, replicas.getOrDefault(group, List.of()))));
        all.sort(Comparator.comparing(RequestFailure::since));
        return all;
    }

    /**
     * Returns the failures of requests of one kind that concern any of the subjects, each with these subjects only. For
     * a kind that concerns the whole job, ignores the subjects.
     */
    List<RequestFailure> requestFailures(Request request, Set<String> subjects, Instant now) {
        List<RequestFailure> some = new ArrayList<>();
        for (RequestFailure one : requestFailures(now)) {
            List<String> left =
                    one.replicas().stream().filter(subjects::contains).toList();
            if (one.request() == request && (!request.ofReplica() || !left.isEmpty())) {
                some.add(with(one, left));
            }
        }
        return some;
    }

    private RequestFailure requestFailure(Key key, Failure failure, Instant now) {
        Duration left = Duration.between(now, next(Map.entry(key, failure)));
        return new RequestFailure(
                key.request(),
                key.request().ofReplica() ? List.of(key.subject()) : List.of(),
                failure.cause(),
                failure.since(),
                Duration.between(failure.since(), now),
                failure.tries(),
                left.isNegative() ? Duration.ZERO : left);
    }

    private static RequestFailure together(RequestFailure one, RequestFailure other) {
        RequestFailure older = other.since().isBefore(one.since()) ? other : one;
        // The cause of a request that was tried.
        RequestFailure tried = other.tries() > one.tries() ? other : one;
        return new RequestFailure(
                one.request(),
                one.replicas(),
                tried.cause(),
                older.since(),
                older.age(),
                tried.tries(),
                one.retryIn().compareTo(other.retryIn()) < 0 ? one.retryIn() : other.retryIn());
    }

    private static RequestFailure with(RequestFailure one, List<String> replicas) {
        return new RequestFailure(
                one.request(), replicas, one.cause(), one.since(), one.age(), one.tries(), one.retryIn());
    }

    private static Group group(Key key, FailureCause cause) {
        return new Group(
                key.request(),
                cause.reason(),
                cause.message().replace(key.subject(), "").replaceAll("[0-9]+", "0"));
    }
}
