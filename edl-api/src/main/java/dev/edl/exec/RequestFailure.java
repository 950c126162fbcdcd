package dev.edl.exec;

import dev.edl.exec.internal.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Failure of a request to the substrate or journal, which rejects it or does not respond. The loop retries it with
 * growing pauses ({@link RetryPolicy}). The job continues with the replicas that run. Requests of one kind that fail
 * with the same cause are reported as one request failure.
 *
 * @param request the kind of the request
 * @param replicas the full names of the replicas that the requests concern, in the order of the requests; empty for a
 *     request that concerns the whole job
 * @param cause the cause of the last failed try
 * @param since the time of the first failed try
 * @param age the time since the first failed try
 * @param tries the number of consecutive failures; for several replicas the largest; 0 if only deferred
 * @param retryIn the time until the next try
 */
public record RequestFailure(
        Request request,
        List<String> replicas,
        FailureCause cause,
        Instant since,
        Duration age,
        int tries,
        Duration retryIn) {
    /** Maximum number of names in a message; of more replicas, only the first is named and the others are counted. */
    private static final int NAMED = 3;

    /** Kinds of requests of a loop to its substrate and journal. */
    public enum Request {
        /** Observe the replicas that exist. */
        OBSERVE("observe the replicas", "the replicas cannot be observed", "the replicas are observed again"),
        /** Write the job's state to the journal. */
        PERSIST("persist the job's state", "the job's state cannot be persisted", "the job's state is persisted again"),
        /** Create a replica. */
        CREATE("create ", " cannot be created", " is created"),
        /** Delete a replica. */
        DELETE("delete ", " cannot be deleted", " is deleted"),
        /** Remove all objects of an ended job, after its time to live. */
        COLLECT("remove the job's objects", "the job's objects cannot be removed", "the job's objects are removed");

        private final String verb;
        private final String fails;
        private final String recovered;

        Request(String verb, String fails, String recovered) {
            this.verb = verb;
            this.fails = fails;
            this.recovered = recovered;
        }

        /** Returns whether a request of this kind concerns one replica; false if it concerns the whole job. */
        boolean ofReplica() {
            return this == CREATE || this == DELETE;
        }
    }

    /** Copies the names. */
    public RequestFailure {
        replicas = List.copyOf(replicas);
    }

    /** Returns a copy whose advice has one more alternative. */
    RequestFailure advised(String more) {
        return new RequestFailure(request, replicas, cause.or(more), since, age, tries, retryIn);
    }

    /** Returns the failing request as a verb phrase: {@code create elasticdl-mnist-worker-5 and 3 more}. */
    public String what() {
        return request.verb + names();
    }

    /**
     * Returns the failing request with cause and advice, without times and tries:
     * {@code could not create worker-5: exceeded quota; …}.
     */
    public String message() {
        return "could not " + what() + ": " + cause;
    }

    /** Returns the message for the event of a recovery: {@code the replicas are observed again after 10m}. */
    String over() {
        return names() + request.recovered + " after " + HumanDuration.of(age);
    }

    private String names() {
        if (replicas.isEmpty()) {
            return "";
        }
        int named = replicas.size() <= NAMED ? replicas.size() : 1;
        String names = String.join(", ", replicas.subList(0, named));
        return replicas.size() == named ? names : names + " and " + (replicas.size() - named) + " more";
    }

    /**
     * Returns the problem with its duration, tries and cause, but without the replicas' names:
     * {@code cannot be created for 2m (9 tries, the next in 28s): exceeded quota}.
     */
    String why() {
        String tried = tries == 0 ? "not tried, the next try" : tries + (tries == 1 ? " try" : " tries") + ", the next";
        return request.fails.strip() + " for " + HumanDuration.of(age) + " (" + tried + " in "
                + HumanDuration.of(retryIn) + "): " + cause;
    }

    /**
     * Returns one line with the replicas' names:
     * {@code elasticdl-mnist-worker-5 cannot be created for 2m (9 tries, the next in 28s): exceeded quota}.
     */
    @Override
    public String toString() {
        return (replicas.isEmpty() ? "" : names() + " ") + why();
    }
}
