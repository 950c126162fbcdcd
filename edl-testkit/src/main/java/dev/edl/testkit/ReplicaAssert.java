package dev.edl.testkit;

import dev.edl.plan.ReplicaPlan;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Assertions on one replica of a plan. */
public final class ReplicaAssert extends EnvAssert<ReplicaAssert, ReplicaPlan> {
    ReplicaAssert(@Nullable ReplicaPlan actual) {
        super(actual, ReplicaAssert.class);
    }

    @Override
    protected String subject() {
        return "replica " + actual.name() + " (" + actual.role() + " " + actual.id() + ")";
    }

    private ReplicaPlan replica() {
        isNotNull();
        return actual;
    }

    @Override
    protected Map<String, String> variables() {
        return replica().env();
    }

    @Override
    protected Optional<String> variable(String name) {
        return valueOf("variable", replica().env(), name);
    }

    /** Verifies the name of the replica's Kubernetes object. */
    public ReplicaAssert hasName(String name) {
        return same("name", name, replica().name());
    }

    /** Verifies the replica's index within its role, from 0; a successor has the index of its predecessor. */
    public ReplicaAssert hasIndex(int index) {
        return same("index", index, replica().index());
    }

    /** Verifies an environment variable of the replica, which the job or the framework sets. */
    public ReplicaAssert hasEnv(String name, String value) {
        return variable(replica().env(), name, value);
    }

    /** Verifies that its environment lacks a variable. */
    public ReplicaAssert doesNotHaveEnv(String name) {
        return noVariable(replica().env(), name);
    }

    /** Verifies the replica's address, {@code host:port}. */
    public ReplicaAssert hasEndpoint(String address) {
        return same("endpoint", address, replica().endpoint().address());
    }

    /** Verifies the port that it listens on. */
    public ReplicaAssert hasPort(int port) {
        return same("port", port, replica().endpoint().port());
    }

    /** Verifies its PriorityClass. */
    public ReplicaAssert hasPriorityClass(String name) {
        return present("priority class", name, replica().priorityClass());
    }

    /** Verifies that it has no PriorityClass. */
    public ReplicaAssert hasNoPriorityClass() {
        return absent("priority class", replica().priorityClass());
    }

    /** Verifies a label of the replica's Kubernetes object. */
    public ReplicaAssert hasLabel(String key, String value) {
        return entry("label", replica().labels(), key, value);
    }

    /** Verifies that the replica's Kubernetes object lacks a label. */
    public ReplicaAssert doesNotHaveLabel(String key) {
        return noEntry("label", replica().labels(), key);
    }
}
