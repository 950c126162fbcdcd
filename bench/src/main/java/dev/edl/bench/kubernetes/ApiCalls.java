package dev.edl.bench.kubernetes;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Map;
import java.util.TreeMap;

/** Counts the requests of a client by what they do. Thread-safe. */
final class ApiCalls implements Interceptor {
    private final Map<String, Integer> counts = new TreeMap<>();

    @Override
    public synchronized void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        counts.merge(request.method(), 1, Integer::sum);
    }

    /** The requests of each method until now. */
    synchronized Map<String, Integer> all() {
        return new TreeMap<>(counts);
    }
}
