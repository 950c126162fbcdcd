package dev.edl.testkit;

import dev.edl.env.MxConfig;
import dev.edl.env.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on {@code MX_CONFIG}, which TVM's tuning reads in an MXJob: the replicas' addresses and the replica's own
 * task.
 */
public final class MxConfigAssert extends EdlAssert<MxConfigAssert, MxConfig> {
    private final String owner;

    MxConfigAssert(String owner, @Nullable MxConfig actual) {
        super(actual, MxConfigAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private MxConfig config() {
        isNotNull();
        return actual;
    }

    /** Verifies the replica's own task: {@code hasTask("tuner", 0)}. */
    public MxConfigAssert hasTask(String type, int index) {
        return same("task", new Task(type, index), config().task());
    }

    /** Verifies all roles in the cluster, sorted: {@code hasRoles("scheduler", "server", "worker")}. */
    public MxConfigAssert hasRoles(String... roles) {
        return same("roles", List.of(roles), List.copyOf(config().cluster().keySet()));
    }

    /** Verifies the addresses {@code host:port} of all replicas of a role, in the order of indexes. */
    public MxConfigAssert hasAddresses(String role, String... addresses) {
        List<MxConfig.Node> nodes = config().cluster().get(role);
        return nodes == null
                ? refuse("expected role \"" + role + "\""
                        + suggestion(role, config().cluster().keySet()))
                : same(
                        "addresses of " + role,
                        List.of(addresses),
                        nodes.stream().map(MxConfig.Node::toString).toList());
    }

    /**
     * Verifies the entry of a role in {@code labels}: the value of its annotation {@code tuner-server-key}, empty
     * without one.
     */
    public MxConfigAssert hasLabel(String role, String text) {
        return entry("label of", config().labels(), role, text);
    }

    /** Verifies the JSON text of {@code MX_CONFIG}, byte for byte. */
    public MxConfigAssert hasJson(String json) {
        return same("text", json, config().json());
    }
}
