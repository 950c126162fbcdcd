package dev.edl.k8s.lives;

import dev.edl.k8s.client.PodHandler;
import dev.edl.k8s.client.PodWatch;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Watch as fabric8's informer keeps it: events come late and in order. After it ends, it lists and watches again. */
final class MemoryWatch implements PodWatch {
    private static final long RESYNC = 60_000;
    private static final int MOST_BEHIND = 20;

    private final MemoryServer server;
    private final Timeline time;
    private final Network network;
    private final String client;
    private final Map<String, String> labels;
    private final PodHandler handler;
    private final Supplier<List<Pod>> list;
    private final Map<String, Pod> known = new LinkedHashMap<>();
    private final Deque<MemoryServer.Change> coming = new ArrayDeque<>();
    private final Consumer<MemoryServer.Change> ear = this::hear;
    /** Arrival time of the last event in flight; negative while no list has come. */
    private long arrival = -1;

    private @Nullable Instant interrupted;
    private int connection;
    private boolean closed;

    /**
     * Creates a watch that has not started.
     *
     * @param list the list request, which may fail
     */
    MemoryWatch(
            MemoryServer server,
            Timeline time,
            Network network,
            String client,
            Map<String, String> labels,
            PodHandler handler,
            Supplier<List<Pod>> list) {
        this.server = server;
        this.time = time;
        this.network = network;
        this.client = client;
        this.labels = labels;
        this.handler = handler;
        this.list = list;
    }

    /** Lists and watches; throws a refusal. */
    MemoryWatch begin() {
        try {
            relist();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        resync();
        return this;
    }

    /** Receives changes from the moment of the server's list on; called by the list's effect. */
    List<Pod> listed(@Nullable Random stale) {
        coming.clear();
        server.unwatch(ear);
        server.watch(ear);
        if (stale == null || !known.isEmpty()) {
            return List.copyOf(server.pods.values());
        }
        // Changes that the server's cache lacks follow as events.
        int heard = Math.max(0, server.history.size() - stale.nextInt(MOST_BEHIND));
        coming.addAll(server.history.subList(heard, server.history.size()));
        Map<String, Pod> then = new LinkedHashMap<>();
        for (MemoryServer.Change change : server.history.subList(0, heard)) {
            if (change.gone()) {
                then.remove(Pods.name(change.pod()));
            } else {
                then.put(Pods.name(change.pod()), change.pod());
            }
        }
        return List.copyOf(then.values());
    }

    private void relist() {
        int mine = ++connection;
        List<Pod> found = list.get();
        if (closed || mine != connection) {
            return;
        }
        Map<String, Pod> gone = new LinkedHashMap<>(known);
        for (Pod pod : found) {
            if (matches(pod)) {
                Pod before = gone.remove(Pods.name(pod));
                boolean same = before != null
                        && before.getMetadata()
                                .getResourceVersion()
                                .equals(pod.getMetadata().getResourceVersion());
                if (!same) {
                    known.put(Pods.name(pod), pod);
                    show(pod);
                }
            }
        }
        gone.forEach((name, pod) -> {
            known.remove(name);
            handler.deleted(pod);
        });
        arrival = time.now();
        interrupted = null;
        coming.forEach(change -> arrive(mine));
    }

    private void show(Pod pod) {
        network.shown(client, pod);
        handler.changed(pod);
    }

    private boolean matches(Pod pod) {
        Map<String, String> has = pod.getMetadata().getLabels();
        return has != null && has.entrySet().containsAll(labels.entrySet());
    }

    private void hear(MemoryServer.Change change) {
        boolean listing = arrival < 0;
        coming.add(change);
        if (!listing) {
            arrive(connection);
        }
    }

    /** Plans the arrival of one more event in flight. */
    private void arrive(int of) {
        arrival = Math.max(arrival, time.now() + network.lag());
        time.in(arrival - time.now(), () -> {
            MemoryServer.Change change = closed || of != connection ? null : coming.poll();
            if (change != null) {
                apply(change);
            }
        });
    }

    private void apply(MemoryServer.Change change) {
        Pod pod = change.pod();
        Pod before = known.get(Pods.name(pod));
        if (change.gone() || !matches(pod)) {
            if (before != null) {
                known.remove(Pods.name(pod));
                handler.deleted(pod);
            }
        } else {
            known.put(Pods.name(pod), pod);
            show(pod);
        }
    }

    /** Ends the connection: events in flight are lost, and after a pause all pods are listed again. */
    void interrupt(long pause) {
        if (!closed) {
            connection++;
            server.unwatch(ear);
            coming.clear();
            arrival = -1;
            interrupted = interrupted == null ? time.instant() : interrupted;
            time.in(pause, () -> again(pause));
        }
    }

    private void again(long pause) {
        if (closed) {
            return;
        }
        try {
            relist();
        } catch (Crash e) {
            close();
        } catch (RuntimeException e) {
            time.in(Math.min(2 * pause, 30_000), () -> again(Math.min(2 * pause, 30_000)));
        }
    }

    private void resync() {
        time.in(RESYNC, () -> {
            if (!closed) {
                handler.resync();
                resync();
            }
        });
    }

    @Override
    public List<Pod> list() {
        return List.copyOf(known.values());
    }

    @Override
    public @Nullable Pod get(String name) {
        return known.get(name);
    }

    @Override
    public Optional<Instant> staleSince() {
        return Optional.ofNullable(interrupted);
    }

    @Override
    public void close() {
        closed = true;
        server.unwatch(ear);
        coming.clear();
    }
}
