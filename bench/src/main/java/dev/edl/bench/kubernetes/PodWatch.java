package dev.edl.bench.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Watch of a namespace's pods that records when they were created, ran, were marked for deletion and were deleted. It
 * parses nothing else: the client's own watch would build whole objects and compete with the measured program.
 * Thread-safe.
 */
final class PodWatch implements AutoCloseable {
    private static final long LIMIT = 600_000_000_000L;

    private final Set<String> added = new HashSet<>();
    private final Set<String> running = new HashSet<>();
    private final Map<String, Long> marked = new HashMap<>();
    private final Set<String> gone = new HashSet<>();
    private final KubernetesClient client;
    private final String namespace;
    private InputStream watch;
    private String version = "";
    private long last;
    private int alive;
    private String broken = "";
    private boolean closed;

    PodWatch(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.watch = open();
        Thread reader = new Thread(this::read, "bench-watch-" + namespace);
        reader.setDaemon(true);
        reader.start();
    }

    /** Opens a watch that continues after the last event seen; the first watch begins with the existing pods. */
    private InputStream open() {
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(client.getMasterUrl() + "api/v1/namespaces/" + namespace + "/pods?watch=true&resourceVersion="
                        + version)
                .build();
        HttpResponse<InputStream> answer = client.getHttpClient()
                .sendAsync(request, InputStream.class)
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        if (!answer.isSuccessful()) {
            throw new IllegalStateException(
                    "the pods of namespace " + namespace + " cannot be watched: " + answer.code());
        }
        return answer.body();
    }

    private void read() {
        while (goesOn()) {
            try (JsonParser json = new JsonFactory().createParser(watch)) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    event(json);
                }
            } catch (IOException e) {
                // Closed, or about to be opened again.
            }
            again();
        }
    }

    private synchronized boolean goesOn() {
        return !closed && broken.isEmpty();
    }

    /**
     * Opens the watch again, unless it was closed or has failed. The API server ends a watch that reads too slowly, as
     * in a JVM that has just started; the new watch misses no event.
     */
    private synchronized void again() {
        if (goesOn()) {
            try {
                watch = open();
            } catch (RuntimeException e) {
                ended(e.toString());
            }
        }
    }

    /** Records why no further events come, so that pending and later waits fail. */
    private synchronized void ended(String why) {
        broken = why;
        notifyAll();
    }

    private void event(JsonParser json) throws IOException {
        String type = "";
        String uid = "";
        String phase = "";
        String at = "";
        boolean leaving = false;
        int depth = 0;
        // Only the needed fields of the event, of its object and of the object's parts.
        for (JsonToken token = json.nextToken(); depth > 0 || token != JsonToken.END_OBJECT; token = json.nextToken()) {
            if (token == JsonToken.END_OBJECT) {
                depth--;
                continue;
            }
            String field = json.currentName();
            json.nextToken();
            switch (depth + " " + field) {
                case "0 object", "1 metadata", "1 status" -> depth++;
                case "0 type" -> type = json.getText();
                case "2 resourceVersion" -> at = json.getText();
                case "2 uid" -> uid = json.getText();
                case "2 phase" -> phase = json.getText();
                case "2 deletionTimestamp" -> leaving = true;
                default -> json.skipChildren();
            }
        }
        if (type.equals("ERROR")) {
            // An error of the watch, not a pod.
            ended("the API server answered with an error");
        } else {
            seen(type, uid, phase, leaving, at);
        }
    }

    private synchronized void seen(String type, String uid, String phase, boolean leaving, String at) {
        version = at;
        long now = System.nanoTime();
        boolean deleted = type.equals("DELETED");
        if (added.add(uid)) {
            last = now;
        }
        if (deleted) {
            gone.add(uid);
        }
        if (leaving || deleted) {
            if (marked.putIfAbsent(uid, now) == null && running.contains(uid)) {
                alive--;
            }
        } else if (phase.equals("Running") && running.add(uid) && !marked.containsKey(uid)) {
            alive++;
        }
        notifyAll();
    }

    /**
     * Waits until {@code count} pods were created; returns the time at which the last creation was seen, by
     * {@link System#nanoTime}.
     */
    synchronized long added(int count) throws InterruptedException {
        until(() -> added.size() >= count, () -> count + " pods, saw " + added.size());
        return last;
    }

    /** Waits until {@code count} pods run that are not marked for deletion. */
    synchronized void running(int count) throws InterruptedException {
        until(() -> alive >= count, () -> count + " running pods, saw " + alive + " of " + added.size());
    }

    /** Waits until every pod that was marked for deletion is gone. */
    synchronized void settled() throws InterruptedException {
        until(() -> gone.size() == marked.size(), () -> "rid of " + marked.size() + " pods, but of " + gone.size());
    }

    /**
     * Waits until a pod is marked for deletion and the next pod is created. Returns the nanoseconds between the two; -1
     * if they do not both happen within the limit.
     *
     * @param uid uid of the pod
     * @param before number of pods created before the deletion
     * @param limit longest wait, in nanoseconds
     */
    synchronized long replaced(String uid, int before, long limit) throws InterruptedException {
        long end = System.nanoTime() + limit;
        while (!marked.containsKey(uid) || added.size() <= before) {
            check();
            long left = end - System.nanoTime();
            if (left <= 0) {
                return -1;
            }
            wait(left / 1_000_000 + 1);
        }
        return last - marked.get(uid);
    }

    synchronized int count() {
        return added.size();
    }

    private void check() {
        if (!broken.isEmpty()) {
            throw new IllegalStateException("the watch of the pods of namespace " + namespace
                    + " ended before all was seen that is waited for: " + broken);
        }
    }

    private void until(BooleanSupplier holds, java.util.function.Supplier<String> what) throws InterruptedException {
        long end = System.nanoTime() + LIMIT;
        while (!holds.getAsBoolean()) {
            check();
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException(
                        "namespace " + namespace + " did not have " + what.get() + " within 600 s");
            }
            wait(left / 1_000_000 + 1);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        try {
            watch.close();
        } catch (IOException e) {
            // Ended on request.
            return;
        }
    }
}
