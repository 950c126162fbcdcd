package dev.edl.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.mlflow.MlflowClient.RefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the metrics, parameters, tags and files of one MLflow run, on its own daemon thread. No other thread waits for
 * the server, except in {@link #end} and {@link #awaitRunId}, whose waits are bounded.
 *
 * <p>A failed request is repeated until it succeeds or the wait of {@link #end} is over. A request that the server
 * refuses is not repeated.
 */
final class RunSender {
    private static final System.Logger LOG = System.getLogger("dev.edl.mlflow");

    /** MLflow's limit of metrics in one request. */
    private static final int METRICS = 1000;
    /** Half of MLflow's limit, so that values of MLflow's longest length remain below its limit of 1 MB a request. */
    private static final int PARAMETERS = 50;
    /** Tag of a unique value, by which a run is found whose creation was not confirmed. */
    private static final String CREATION = "edl.creation";

    private static final long LONGEST_PAUSE = 30_000;
    /** Longest pause once the training waits. */
    private static final long LAST_PAUSE = 500;

    private final MlflowClient client;
    private final MlflowTracking.Builder settings;
    /** The run to continue; empty for a new run. */
    private final String given;

    private final Deque<Map<String, Object>> metrics = new ArrayDeque<>();
    private final Deque<Part> parts = new ArrayDeque<>();
    private final CompletableFuture<String> runId = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private @Nullable String status;
    private @Nullable Part sending;
    private boolean complete;
    private long dropped;
    private long refused;
    private volatile String artifactUri = "";
    private final Thread thread = new Thread(this::run, "edl-mlflow");

    /** Request for a run, with the number and the kind of its values. */
    private record Part(int count, String kind, Send request) {
        @Override
        public String toString() {
            return kind.startsWith("file ") ? kind.substring(5) : count + " " + kind;
        }
    }

    @FunctionalInterface
    private interface Send {
        void to(String id) throws IOException, InterruptedException;
    }

    @FunctionalInterface
    private interface Request<T> {
        T send() throws IOException, InterruptedException;
    }

    RunSender(MlflowClient client, MlflowTracking.Builder settings, String given) {
        this.client = client;
        this.settings = settings;
        this.given = given;
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a metric. If the queue is full, drops its oldest metric. */
    synchronized void metric(String key, double value, long step) {
        if (status != null) {
            return;
        }
        if (metrics.size() == settings.capacity) {
            metrics.removeFirst();
            dropped++;
        }
        metrics.add(Map.of("key", key, "value", value, "timestamp", System.currentTimeMillis(), "step", step));
        notifyAll();
    }

    /** Queues parameters, tags, and a file for the run's folder {@code model}. */
    synchronized void add(Map<String, String> parameters, Map<String, String> tags, Optional<Path> file) {
        pairs("params", "parameters", parameters);
        pairs("tags", "tags", tags);
        file.ifPresent(each -> parts.add(new Part(1, "file " + each, id -> upload(each))));
        notifyAll();
    }

    private void pairs(String field, String kind, Map<String, String> from) {
        List<Map<String, String>> all = from.entrySet().stream()
                .map(each -> Map.of("key", each.getKey(), "value", each.getValue()))
                .toList();
        for (int i = 0; i < all.size(); i += PARAMETERS) {
            parts.add(batch(field, kind, all.subList(i, Math.min(all.size(), i + PARAMETERS))));
        }
    }

    private Part batch(String field, String kind, List<?> values) {
        return new Part(values.size(), kind, id -> client.post("runs/log-batch", Map.of("run_id", id, field, values)));
    }

    /** Returns the run's id; empty while the server has not confirmed the run. */
    Optional<String> runId() {
        return runId.isCompletedExceptionally() ? Optional.empty() : Optional.ofNullable(runId.getNow(null));
    }

    /** Waits for the run's id, until the run cannot be had, at most as long as given. */
    Optional<String> awaitRunId(Duration atMost) throws InterruptedException {
        try {
            return Optional.of(runId.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** Returns whether {@link #end} was called. */
    synchronized boolean ended() {
        return status != null;
    }

    /** Ends the run, and waits until all is sent, or the limit is over. The first call alone has an effect. */
    void end(String newStatus) throws InterruptedException {
        synchronized (this) {
            if (status != null) {
                return;
            }
            status = newStatus;
            notifyAll();
        }
        ended.countDown();
        try {
            thread.join(Math.max(1, settings.endTimeout.toMillis()));
            String lost = lost();
            if (!lost.isEmpty()) {
                String id = runId().map(each -> each + " ").orElse("");
                warn("end", "MLflow run " + id + "at " + client + ": not sent: " + lost);
            }
        } finally {
            thread.interrupt();
        }
    }

    /** Returns text for all values that the server has not received; empty if it has received all. */
    private synchronized String lost() {
        List<String> all = new ArrayList<>();
        Part part = sending;
        if (part != null) {
            all.add(part.toString());
        }
        if (!metrics.isEmpty()) {
            all.add(metrics.size() + " metrics");
        }
        parts.forEach(each -> all.add(each.toString()));
        if (!complete) {
            all.add("status " + status);
        }
        if (dropped > 0) {
            all.add(dropped + " metrics, because at most " + settings.capacity + " wait for the server");
        }
        if (refused > 0) {
            all.add(refused + " values that the server refused");
        }
        return String.join("; ", all);
    }

    private void run() {
        try {
            String id = open();
            runId.complete(id);
            for (Part part = next(); part != null; part = next()) {
                send(part, id);
            }
            Map<String, Object> body = Map.of("run_id", id, "status", status(), "end_time", System.currentTimeMillis());
            send(new Part(1, "status", run -> client.post("runs/update", body)), id);
            synchronized (this) {
                complete = true;
            }
        } catch (InterruptedException e) {
            // The wait of end is over.
        } catch (IOException | RuntimeException e) {
            warn("refused", "MLflow at " + client + " receives nothing of this training: " + text(e));
        } finally {
            runId.completeExceptionally(new IOException("there is no run"));
        }
    }

    private void send(Part part, String id) throws InterruptedException {
        try {
            repeated(() -> {
                part.request().to(id);
                return id;
            });
        } catch (IOException | RuntimeException e) {
            warn("refused", "MLflow at " + client + " refuses " + part.count() + " " + part.kind() + ": " + text(e));
            synchronized (this) {
                refused += part.count();
            }
        }
    }

    /** Waits for the next values, and takes them; returns null after the last ones. */
    private synchronized @Nullable Part next() throws InterruptedException {
        sending = null;
        while (parts.isEmpty() && metrics.isEmpty() && status == null) {
            wait();
        }
        // Files are last, because their upload may take long.
        Part first = parts.peek();
        if (first != null && (metrics.isEmpty() || !first.kind().startsWith("file "))) {
            sending = parts.remove();
        } else if (!metrics.isEmpty()) {
            List<Map<String, Object>> some = new ArrayList<>();
            while (some.size() < METRICS && !metrics.isEmpty()) {
                some.add(metrics.removeFirst());
            }
            sending = batch("metrics", "metrics", some);
        }
        return sending;
    }

    private synchronized String status() {
        return String.valueOf(status);
    }

    private void upload(Path file) throws IOException, InterruptedException {
        if (!artifactUri.startsWith("mlflow-artifacts:")) {
            warn(
                    "artefacts",
                    "MLflow at " + client + ": " + file + " is not uploaded, because the server does not take artefacts"
                            + " itself: the run's address of artefacts is \"" + artifactUri
                            + "\"; start the server with --serve-artifacts");
            return;
        }
        try {
            client.upload(URI.create(artifactUri).getPath() + "/model/" + file.getFileName(), file);
        } catch (FileNotFoundException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the run, or reopens the given one. */
    private String open() throws IOException, InterruptedException {
        if (!given.isEmpty()) {
            Map<String, String> body = Map.of("run_id", given, "status", "RUNNING");
            return opened(repeated(() -> client.post("runs/update", body)).path("run_info"));
        }
        String experiment = repeated(this::experiment);
        String unique = UUID.randomUUID().toString();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("experiment_id", experiment);
        body.put("start_time", System.currentTimeMillis());
        body.put("tags", List.of(Map.of("key", CREATION, "value", unique)));
        if (!settings.runName.isEmpty()) {
            body.put("run_name", settings.runName);
        }
        Map<String, Object> search =
                Map.of("experiment_ids", List.of(experiment), "filter", "tags.`" + CREATION + "` = '" + unique + "'");
        boolean[] tried = {false};
        return opened(repeated(() -> {
            if (tried[0]) {
                JsonNode made = client.post("runs/search", search).path("runs").path(0);
                if (!made.isMissingNode()) {
                    return made.path("info");
                }
            }
            tried[0] = true;
            return client.post("runs/create", body).path("run").path("info");
        }));
    }

    private String opened(JsonNode info) throws IOException {
        artifactUri = info.path("artifact_uri").asText("");
        String id = info.path("run_id").asText("");
        if (id.isEmpty()) {
            throw new IOException("the answer has no run_id; is this the address of an MLflow server?");
        }
        return id;
    }

    private String experiment() throws IOException, InterruptedException {
        try {
            return found();
        } catch (RefusedException e) {
            if (!e.is("RESOURCE_DOES_NOT_EXIST")) {
                throw e;
            }
        }
        try {
            return client.post("experiments/create", Map.of("name", settings.experiment))
                    .path("experiment_id")
                    .asText("");
        } catch (RefusedException e) {
            if (!e.is("RESOURCE_ALREADY_EXISTS")) {
                throw e;
            }
            // Another training has created it in between.
            return found();
        }
    }

    private String found() throws IOException, InterruptedException {
        return client.get("experiments/get-by-name", "experiment_name", settings.experiment)
                .path("experiment")
                .path("experiment_id")
                .asText("");
    }

    /** Sends a request until it is answered; throws only what a repetition would not change. */
    private <T> T repeated(Request<T> request) throws IOException, InterruptedException {
        for (long pause = settings.backoff.toMillis(); ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
            try {
                return request.send();
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                warn("away", "MLflow at " + client + " does not answer; the training continues: " + text(e));
            }
            if (ended.await(pause, TimeUnit.MILLISECONDS)) {
                Thread.sleep(Math.min(pause, LAST_PAUSE));
            }
        }
    }

    /** Logs a warning, but only the first one of its kind. */
    private void warn(String kind, String message) {
        if (warned.add(kind)) {
            LOG.log(System.Logger.Level.WARNING, message);
        }
    }

    private static String text(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getName() : message;
    }
}
