package dev.edl.runtime.engine.internal;

import dev.edl.runtime.TrainingEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Absences of replicas, with the events that report them.
 *
 * <p>The first event follows after ten seconds, and further ones each time the absence has doubled, at the bound after
 * which the replica is overdue, and at its return.
 *
 * <p>Times are arguments, in nanoseconds of one clock. Thread-safe.
 */
public final class AbsenceWatch {
    /** Absence after which the first event is emitted, and time without a call after which a worker may be silent. */
    static final Duration FIRST = Duration.ofSeconds(10);

    /** Longest time that counts between two looks, because a pause of this process is not an absence of another process. */
    static final Duration STEP = Duration.ofSeconds(5);

    private static final Duration LEAST_BOUND = Duration.ofMinutes(1);
    private static final int PARTS = 4;

    private final long bound;
    private final Map<String, Absence> absences = new TreeMap<>();
    /** Workers whose tasks other workers do, because their connection or their lease has ended. */
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    /** Lost workers whose connection has ended. Others may compute a long minibatch. */
    private final Set<String> disconnected = ConcurrentHashMap.newKeySet();
    /** Servers that have registered and are not present yet: they may read a large state. */
    private final Set<String> starting = ConcurrentHashMap.newKeySet();
    /** Time of the last call of each worker. */
    private final Map<String, Long> heard = new ConcurrentHashMap<>();

    private long time;
    private long looked;
    private boolean begun;

    /** An absence: its begin, the length at which its next event is due, and the events so far. */
    private static final class Absence {
        private final long since;
        private long due;
        private boolean reported;
        private boolean overdue;

        private Absence(long since, long due) {
            this.since = since;
            this.due = due;
        }
    }

    /**
     * Creates a watch without absences.
     *
     * @param absenceTimeout the training's; a quarter of it, at least one minute, is the bound of an absence
     */
    public AbsenceWatch(Duration absenceTimeout) {
        Duration part = absenceTimeout.dividedBy(PARTS);
        this.bound = (part.compareTo(LEAST_BOUND) < 0 ? LEAST_BOUND : part).toNanos();
    }

    /** Records a call of a worker. */
    public void heard(String worker, long now) {
        heard.put(worker, now);
        lost.remove(worker);
        disconnected.remove(worker);
    }

    /** Returns whether a worker has made a call in the last ten seconds. */
    public boolean hears(String worker, long now) {
        Long last = heard.get(worker);
        return last != null && now - last < FIRST.toNanos();
    }

    /** Records that a worker has not reconnected in time, so that other workers do its tasks. */
    public void lost(String worker) {
        disconnected.add(worker);
        expired(worker);
    }

    /** Records that other workers do a worker's tasks, because its lease has ended. It is never overdue. */
    public void expired(String worker) {
        heard.remove(worker);
        lost.add(worker);
    }

    /** Records that a server begins a life. It is not overdue until it was present. */
    public void starts(String server) {
        starting.add(server);
    }

    /**
     * Compares the replicas with those of the last look, and returns the events that are due.
     *
     * @param servers absent servers
     * @param workers silent workers that hold tasks
     * @param waiting text for people: the replicas and actions that wait for the servers, for example {@code 3 workers
     *     wait for it}
     */
    public synchronized List<TrainingEvent> poll(Set<String> servers, Set<String> workers, String waiting, long now) {
        time += begun ? Math.min(STEP.toNanos(), now - looked) : 0;
        looked = now;
        begun = true;
        List<TrainingEvent> events = new ArrayList<>();
        starting.retainAll(servers);
        absences.entrySet().removeIf(each -> {
            String replica = each.getKey();
            boolean back = !servers.contains(replica) && !workers.contains(replica) && !lost.contains(replica);
            if (back && each.getValue().reported) {
                events.add(new TrainingEvent.ReplicaReturned(replica, length(each.getValue())));
            }
            return back;
        });
        servers.forEach(server -> absent(server, waiting, !starting.contains(server), events));
        // A slow minibatch or a slow read may look like silence until the lease has expired.
        workers.stream()
                .filter(worker -> !lost.contains(worker))
                .forEach(worker -> absent(worker, "its tasks wait for it", false, events));
        lost.forEach(worker -> absent(worker, "other workers do its tasks", disconnected.contains(worker), events));
        return events;
    }

    private Duration length(Absence absence) {
        return Duration.ofSeconds(Duration.ofNanos(time - absence.since).toSeconds());
    }

    private void absent(String replica, String waiting, boolean replaceable, List<TrainingEvent> events) {
        // Nothing waits for a lost worker, so only its bound matters.
        long first = lost.contains(replica) ? bound : FIRST.toNanos();
        Absence absence = absences.computeIfAbsent(replica, key -> new Absence(time, first));
        long length = time - absence.since;
        boolean overdue = replaceable && length >= bound;
        if (length < absence.due && (!overdue || absence.overdue)) {
            return;
        }
        absence.reported = true;
        absence.overdue |= overdue;
        while (absence.due <= length) {
            absence.due *= 2;
        }
        events.add(new TrainingEvent.ReplicaAbsent(replica, length(absence), waiting, overdue));
        if (overdue && lost.remove(replica)) {
            // A worker that was killed never returns.
            absences.remove(replica);
            disconnected.remove(replica);
        }
    }
}
