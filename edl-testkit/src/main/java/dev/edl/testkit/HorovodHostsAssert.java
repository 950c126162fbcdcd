package dev.edl.testkit;

import dev.edl.env.HorovodHosts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Assertions on the hosts of a Horovod or MPI job and their slots, the number of processes on each host. */
public final class HorovodHostsAssert extends EdlAssert<HorovodHostsAssert, HorovodHosts> {
    private final String owner;

    HorovodHostsAssert(String owner, @Nullable HorovodHosts actual) {
        super(actual, HorovodHostsAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private HorovodHosts hosts() {
        isNotNull();
        return actual;
    }

    /**
     * Verifies all hosts with their slots, in the order of their ranks:
     * {@code hasHosts("mnist-worker-0:4", "mnist-worker-1:4")}.
     */
    public HorovodHostsAssert hasHosts(String... hosts) {
        return same(
                "hosts",
                List.of(hosts),
                hosts().hosts().stream().map(HorovodHosts.Host::toString).toList());
    }

    /** Verifies the slots of one host; ignores other hosts. */
    public HorovodHostsAssert hasSlots(String host, int slots) {
        Map<String, String> all = new TreeMap<>();
        hosts().hosts().forEach(one -> all.put(one.name(), Integer.toString(one.slots())));
        return entry("slots of", all, host, Integer.toString(slots));
    }

    /** Verifies the total number of slots, which is the number of processes. */
    public HorovodHostsAssert hasSlots(int slots) {
        return same("slots", slots, hosts().slots());
    }
}
