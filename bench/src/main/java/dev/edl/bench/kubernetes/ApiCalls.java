package dev.edl.bench.kubernetes;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Map;
import java.util.TreeMap;

/** Counter of a client's requests by HTTP method. Thread-safe. */
final class ApiCalls implements Interceptor {
    private final Map<String, Integer> counts = new TreeMap<>();

    @Override
    public synchronized void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        counts.merge(request.method(), 1, Integer::sum);
    }

    /** Returns the number of requests so far, by HTTP method. */
    synchronized Map<String, Integer> all() {
        return new TreeMap<>(counts);
    }
}
