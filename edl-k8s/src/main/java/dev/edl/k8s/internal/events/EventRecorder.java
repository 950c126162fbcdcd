package dev.edl.k8s.internal.events;

import dev.edl.k8s.client.MissingPermission;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Writes warnings as Kubernetes Events of group core/v1, one for each object and cause, with the count of its
 * repetitions.
 *
 * <p>Best effort, on its own thread: {@link #warn} never waits and never fails. An Event is written at once, and its
 * count at most once a minute. Events that cannot be written are dropped. If the account lacks the permission in a
 * namespace, that is logged once and no Events are written there. Thread-safe.
 */
public final class EventRecorder implements AutoCloseable {
    private static final Logger LOG = System.getLogger(EventRecorder.class.getName());
    private static final String COMPONENT = "edl";
    private static final Duration BETWEEN = Duration.ofMinutes(1);

    /** Maximum number of causes that wait to be written; further ones are dropped. */
    private static final int QUEUE = 100;

    /** Maximum number of causes whose repetitions are counted; beyond it, the oldest cause is forgotten. */
    private static final int KNOWN = 1000;

    private static final int LONGEST = 1000;

    /** Matches Kubernetes' message for a permission that the account lacks. */
    private static final Pattern RIGHT = Pattern.compile("cannot \\w+ resource");

    private final KubernetesClient client;
    private final InstantSource clock;
    private final ThreadPoolExecutor thread;
    private final Map<Cause, Series> known = new LinkedHashMap<>();

    /** Namespaces in which the account may not write Events. */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    /** Key of warnings that count as repetitions of one another. */
    private record Cause(String uid, String reason, String cause) {}

    /** Repetitions of one warning; guarded by the recorder's lock. */
    private static final class Series {
        final String name;
        final Instant first;
        Instant last;
        Instant written = Instant.MIN;
        int count;
        String message = "";
        boolean queued;
        boolean exists;

        Series(String name, Instant first) {
            this.name = name;
            this.first = first;
            this.last = first;
        }
    }

    /** Creates a recorder with a client that the caller closes. */
    public EventRecorder(KubernetesClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
        this.thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), task -> {
            Thread made = new Thread(task, "edl-events");
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Records a warning; returns at once.
     *
     * @param about object for which {@code kubectl describe} shows the warning
     * @param reason reason in the words of Kubernetes' controllers, such as {@code FailedCreate}
     * @param cause cause that distinguishes warnings of the same reason, such as {@code ExceededQuota}
     * @param message message for people
     */
    public void warn(ObjectReference about, String reason, String cause, String message) {
        if (refused.contains(about.getNamespace())) {
            return;
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        synchronized (known) {
            Series series = known.computeIfAbsent(
                    new Cause(about.getUid(), reason, cause),
                    key -> new Series(
                            about.getName() + "." + UUID.randomUUID().toString().replace("-", ""), now));
            series.count++;
            series.last = now;
            series.message = message.length() <= LONGEST ? message : message.substring(0, LONGEST) + " …";
            if (known.size() > KNOWN) {
                known.remove(known.keySet().iterator().next());
            }
            if (!series.queued
                    && (series.written.equals(Instant.MIN)
                            || !series.written.plus(BETWEEN).isAfter(now))) {
                series.queued = true;
                queue(about, reason, series);
            }
        }
    }

    private void queue(ObjectReference about, String reason, Series series) {
        try {
            thread.execute(() -> write(about, reason, series));
        } catch (RejectedExecutionException full) {
            series.queued = false;
        }
    }

    private void write(ObjectReference about, String reason, Series series) {
        Event event;
        boolean exists;
        synchronized (known) {
            series.queued = false;
            series.written = series.last;
            exists = series.exists;
            event = event(about, reason, series);
        }
        try {
            boolean written = exists ? repeated(event) : created(event);
            synchronized (known) {
                series.exists = written;
            }
        } catch (KubernetesClientException e) {
            failed(e, about.getNamespace());
        }
    }

    private boolean created(Event event) {
        client.v1()
                .events()
                .inNamespace(event.getMetadata().getNamespace())
                .resource(event)
                .create();
        return true;
    }

    /**
     * Updates count, time and message of a written Event. Creates the Event again if it is gone: the API server deletes
     * an Event after an hour. Always returns true.
     */
    private boolean repeated(Event event) {
        try {
            String changes = client.getKubernetesSerialization()
                    .asJson(Map.of(
                            "count", event.getCount(),
                            "lastTimestamp", event.getLastTimestamp(),
                            "message", event.getMessage()));
            client.v1()
                    .events()
                    .inNamespace(event.getMetadata().getNamespace())
                    .withName(event.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), changes);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return created(event);
            }
            throw e;
        }
    }

    private void failed(KubernetesClientException e, String namespace) {
        if (lacksTheRight(e) && refused.add(namespace)) {
            LOG.log(
                    Level.INFO,
                    MissingPermission.withGrantCommand("no Kubernetes Events are written in namespace \"" + namespace
                            + "\", because this account may not create and patch events there: " + e.getMessage()));
        } else {
            LOG.log(Level.DEBUG, "an Event could not be written", e);
        }
    }

    /**
     * Returns whether a refusal is for a missing permission. A quota, a webhook and a terminating namespace also refuse
     * with 403, but the next Event may be accepted.
     */
    private static boolean lacksTheRight(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                && RIGHT.matcher(String.valueOf(e.getMessage())).find();
    }

    private static Event event(ObjectReference about, String reason, Series series) {
        return new EventBuilder()
                .withNewMetadata()
                .withName(series.name)
                .withNamespace(about.getNamespace())
                .endMetadata()
                .withInvolvedObject(about)
                .withType("Warning")
                .withReason(reason)
                .withMessage(series.message)
                .withCount(series.count)
                .withFirstTimestamp(series.first.toString())
                .withLastTimestamp(series.last.toString())
                .withNewSource()
                .withComponent(COMPONENT)
                .endSource()
                .withReportingComponent(COMPONENT)
                .withReportingInstance(COMPONENT)
                .build();
    }

    /** Stops writing Events. The recorder's thread ends, unless a request of the client blocks it. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
