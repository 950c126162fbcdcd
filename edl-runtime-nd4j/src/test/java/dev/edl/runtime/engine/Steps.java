package dev.edl.runtime.engine;

import dev.edl.runtime.ps.ports.ShardsControl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts what a master does to the world, and kills it at one of these steps: from then on it can do nothing. */
final class Steps {
    private static final Set<String> ORDERS =
            Set.of("decide", "pinEvery", "pinNow", "hold", "release", "keep", "keepOnly", "unpin", "flush");

    private final int killAt;
    private int count;
    private boolean dead;
    private final Map<String, Integer> kinds = new TreeMap<>();

    /** Kills at a step, counted from 1; 0 kills at none. */
    Steps(int killAt) {
        this.killAt = killAt;
    }

    /** One step, of a master that may end here. */
    void step(String kind) {
        if (!dead) {
            count++;
            kinds.merge(kind, 1, Integer::sum);
            dead = count == killAt;
        }
        if (dead) {
            throw new ReplicaStopped("master");
        }
    }

    /** The next master lives. */
    void next() {
        dead = false;
    }

    int count() {
        return count;
    }

    Map<String, Integer> kinds() {
        return kinds;
    }

    /** The shards of a master, with a step before and behind each of its orders. */
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
