package dev.edl.runtime.engine;

import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.ps.ports.ShardsControl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts a master's effects on shared state and kills the master at one of them; from then on its calls have no
 * effect.
 */
final class Steps {
    private static final Set<String> ORDERS =
            Set.of("decide", "pinEvery", "pinNow", "hold", "release", "keep", "keepOnly", "unpin", "flush");

    private final int killAt;
    private int count;
    private boolean dead;
    private final Map<String, Integer> kinds = new TreeMap<>();

    /** Kills at a step, counted from 1; 0 never kills. */
    Steps(int killAt) {
        this.killAt = killAt;
    }

    /** Counts a step of a master, at which it may be killed. */
    void step(String kind) {
        if (!dead) {
            count++;
            kinds.merge(kind, 1, Integer::sum);
            dead = count == killAt;
        }
        if (dead) {
            throw new ReplicaStoppedException("master");
        }
    }

    /** Starts the next master. */
    void next() {
        dead = false;
    }

    int count() {
        return count;
    }

    Map<String, Integer> kinds() {
        return kinds;
    }

    /** Wraps the shards of a master with a step before and after each call. */
    ShardsControl around(ShardsControl shards) {
        return (ShardsControl) Proxy.newProxyInstance(
                ShardsControl.class.getClassLoader(),
                new Class<?>[] {ShardsControl.class},
                (proxy, call, arguments) -> {
                    boolean order = ORDERS.contains(call.getName());
                    String kind = call.getName().equals("decide") ? "record" : "pins";
                    if (order || dead) {
                        step("before " + kind);
                    }
                    try {
                        Object answer = call.invoke(shards, arguments);
                        if (order) {
                            step("behind " + kind);
                        }
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
