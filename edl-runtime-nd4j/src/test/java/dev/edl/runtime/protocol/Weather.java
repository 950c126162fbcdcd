package dev.edl.runtime.protocol;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The faults of a life: what happens to each message and, now and then, to a process. */
final class Weather {
    private static final long MILLI = Timeline.MILLI;
    private static final long SECOND = Timeline.SECOND;

    final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private final Life life;
    private final Random dice;
    private final int perThousand;
    private final int millis;
    private final Map<List<Node>, Long> cut = new HashMap<>();
    private final Map<String, Long> pushed = new HashMap<>();
    boolean storm;

    Weather(Life life) {
        this.life = life;
        this.dice = life.dice;
        this.perThousand = new int[] {1, 5, 20}[dice.nextInt(3)];
        this.millis = 1 + dice.nextInt(20);
    }

    void strike(Fault fault, Object what) {
        struck.merge(fault, 1, Integer::sum);
        life.note(fault, " ", what);
    }

    /** Returns how long a message is under way. */
    long latency(Message message) {
        if (storm && dice.nextInt(1_000) < perThousand) {
            strike(Fault.MESSAGE_LATE, message);
            return dice.nextInt(3_000) * MILLI;
        }
        return 100_000 + dice.nextInt(millis * 1_000) * 1_000L;
    }

    /** Returns after how long one end sees that a connection has broken. */
    long seenAfter() {
        if (storm && dice.nextInt(4) == 0) {
            strike(Fault.BREAK_SEEN_LATE, "");
            return dice.nextInt(15_000) * MILLI;
        }
        return dice.nextInt(100) * MILLI;
    }

    /** A push arrives at a server: counts it when it came before. */
    void arrives(Node server, String worker, long sequence) {
        Long last = pushed.put(server.id + worker, sequence);
        if (last != null && last >= sequence) {
            strike(Fault.PUSH_REPEATED, worker + " " + sequence);
        }
    }

    /** Whether anything has gone wrong yet. */
    boolean hasStruck() {
        return !struck.isEmpty();
    }

    boolean isCut(Node one, Node other) {
        return cut.getOrDefault(pair(one, other), 0L) > life.time.now();
    }

    private static List<Node> pair(Node one, Node other) {
        return one.id.compareTo(other.id) < 0 ? List.of(one, other) : List.of(other, one);
    }

    private void cut(Node one, Node other, long until) {
        cut.merge(pair(one, other), until, Math::max);
        for (Connection each : List.copyOf(one.links.values())) {
            if (each.isBetween(one, other)) {
                each.breaks();
            }
        }
    }

    /** Something happens to some process. */
    void act() {
        if (life.alive().isEmpty()) {
            return;
        }
        Node some = some(life.alive());
        switch (dice.nextInt(21)) {
            case 0, 1, 2, 3 -> {
                List<Connection> all = new ArrayList<>(some.links.values());
                if (!all.isEmpty()) {
                    strike(Fault.CONNECTION_BREAKS, some.id);
                    all.get(dice.nextInt(all.size())).breaks();
                }
            }
            case 4, 5 -> {
                Node other = some(life.alive());
                strike(Fault.PARTITION_OF_TWO, some.id + " and " + other.id);
                cut(some, other, life.time.now() + dice.nextInt(20) * SECOND);
            }
            case 6 -> {
                strike(Fault.PARTITION_OF_ONE, some.id);
                long until = life.time.now() + dice.nextInt(20) * SECOND;
                life.alive().stream().filter(other -> other != some).forEach(other -> cut(some, other, until));
            }
            case 7, 8, 9 ->
                life.worker(dice).ifPresent(worker -> {
                    strike(Fault.WORKER_DIES, worker.id);
                    life.die(worker);
                });
            case 10, 11 ->
                life.server(dice).ifPresent(server -> {
                    strike(Fault.SERVER_DIES, server.id);
                    if (dice.nextInt(3) == 0) {
                        strike(Fault.SERVER_LOSES_DISK, server.id);
                        life.loseDisk(server);
                    }
                    life.die(server);
                });
            case 12, 13 ->
                life.master().ifPresent(master -> {
                    strike(Fault.MASTER_DIES, master.id);
                    if (dice.nextInt(3) == 0) {
                        strike(Fault.MASTER_LOSES_DISK, master.id);
                        life.loseMasterDisk();
                    }
                    life.die(master);
                });
            case 14 ->
                life.master().ifPresent(master -> {
                    boolean apart = dice.nextBoolean();
                    strike(Fault.SECOND_MASTER, "beside " + master.id + (apart ? ", without its disk" : ""));
                    if (apart) {
                        life.loseMasterDisk();
                    }
                    life.startMaster();
                });
            case 15, 16 -> {
                strike(Fault.PROCESS_STOPS, some.id);
                some.stop(dice.nextInt(30_000) * MILLI);
            }
            case 17 -> {
                strike(Fault.CLOCK_JUMPS, some.id);
                some.jump(dice.nextInt(90) * SECOND);
            }
            case 18 -> {
                strike(Fault.WORKER_SLOW, "");
                life.slowUntil = life.time.now() + dice.nextInt(20_000) * MILLI;
            }
            case 19 ->
                life.server(dice).ifPresent(server -> {
                    strike(Fault.SERVER_REPLACED, server.id);
                    server.stop(dice.nextInt(15_000) * MILLI);
                    life.startSuccessor(server);
                });
            default -> {
                strike(Fault.DISK_SLOW, "");
                life.diskSlowUntil = life.time.now() + dice.nextInt(20_000) * MILLI;
            }
        }
    }

    private Node some(List<Node> of) {
        return of.get(dice.nextInt(of.size()));
    }

    /** The faults stop. */
    void calm() {
        storm = false;
        cut.clear();
    }
}
