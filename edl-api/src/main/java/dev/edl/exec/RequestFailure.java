package dev.edl.exec;

import dev.edl.exec.internal.Age;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A request that the place refuses or does not answer. The loop repeats it with growing pauses ({@link RetryPolicy}); the job
 * goes on meanwhile with what runs. Requests of one kind that fail for one cause are one trouble.
 *
 * @param request what is asked of the place
 * @param replicas the full names of the replicas that it concerns, in the order in which they were asked for; none where it
 *     concerns the job as a whole
 * @param cause why it fails, as of the last try
 * @param since when the first of its tries failed
 * @param age how long ago that was
 * @param tries how often it has failed in a row; of several replicas the most
 * @param retryIn until the next try
 */
public record RequestFailure(
        Request request,
        List<String> replicas,
        FailureCause cause,
        Instant since,
        Duration age,
        int tries,
        Duration retryIn) {
    /** More names than that are counted. */
    private static final int NAMED = 3;

    /** What a loop asks of a place. */
    public enum Request {
        /** The replicas that exist. */
        OBSERVE("observe the replicas", "the replicas cannot be observed", "the replicas are observed again"),
        /** That the job's state is written where it is kept. */
        PERSIST("persist the job's state", "the job's state cannot be persisted", "the job's state is persisted again"),
        /** A new replica. */
        CREATE("create ", " cannot be created", " is created"),
        /** The end of a replica. */
        DELETE("delete ", " cannot be deleted", " is deleted"),
        /** The removal of everything of an ended job, after its time to live. */
        COLLECT("remove the job's objects", "the job's objects cannot be removed", "the job's objects are removed");

        private final String verb;
        private final String fails;
        private final String recovered;

        Request(String verb, String fails, String recovered) {
            this.verb = verb;
            this.fails = fails;
            this.recovered = recovered;
        }

        /** Whether it is made for a replica; otherwise it is made for the job, and nothing can be done before it succeeds. */
        boolean ofReplica() {
            return this == CREATE || this == DELETE;
        }
    }

    /** Copies the names. */
    public RequestFailure {
        replicas = List.copyOf(replicas);
    }

    /** Returns the same trouble with more advice. */
    RequestFailure advised(String more) {
        return new RequestFailure(request, replicas, cause.or(more), since, age, tries, retryIn);
    }

    /** Returns the request as one does it: {@code create elasticdl-mnist-worker-5 and 3 more}. */
    public String what() {
        return request.verb + names();
    }

    /** Returns what fails, why, and what helps, without times and tries: {@code could not create worker-5: exceeded quota; …}. */
    public String message() {
        return "could not " + what() + ": " + cause;
    }

    /** Returns that it is over: {@code the replicas are observed again after 10m}. */
    String over() {
        return names() + request.recovered + " after " + Age.of(age);
    }

    private String names() {
        if (replicas.isEmpty()) {
            return "";
        }
        int named = replicas.size() <= NAMED ? replicas.size() : 1;
        String names = String.join(", ", replicas.subList(0, named));
        return replicas.size() == named ? names : names + " and " + (replicas.size() - named) + " more";
    }

    /** Returns why a replica is missing: {@code cannot be created for 2m (9 tries, the next in 28s): exceeded quota}. */
    String why() {
        String tried = tries == 0 ? "not tried, the next try" : tries + (tries == 1 ? " try" : " tries") + ", the next";
        return request.fails.strip() + " for " + Age.of(age) + " (" + tried + " in " + Age.of(retryIn) + "): " + cause;
    }

    /** Returns one line: {@code elasticdl-mnist-worker-5 cannot be created for 2m (9 tries, the next in 28s): exceeded quota}. */
    @Override
    public String toString() {
        return (replicas.isEmpty() ? "" : names() + " ") + why();
    }
}
