package dev.edl.testkit;

import dev.edl.env.Task;
import dev.edl.env.TfConfig;
import dev.edl.env.TfTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Assertions on TensorFlow's {@code TF_CONFIG}: the tasks, their addresses, and the replica's own task. */
public final class TfConfigAssert extends EdlAssert<TfConfigAssert, TfConfig> {
    private final String owner;

    TfConfigAssert(String owner, @Nullable TfConfig actual) {
        super(actual, TfConfigAssert.class);
        this.owner = owner;
    }

    @Override
    protected String subject() {
        return owner;
    }

    private TfConfig config() {
        isNotNull();
        return actual;
    }

    /** Verifies the replica's own task: {@code hasTask("worker", 2)}. */
    public TfConfigAssert hasTask(String type, int index) {
        return present("task", new Task(type, index), config().task());
    }

    /** Verifies that {@code TF_CONFIG} has the cluster but no task for the replica itself. */
    public TfConfigAssert hasNoTask() {
        return absent("task", config().task());
    }

    /** Verifies all types of tasks in the cluster, in any order: {@code hasTaskTypes("chief", "ps", "worker")}. */
    public TfConfigAssert hasTaskTypes(String... types) {
        return same("task types", sorted(listed(types)), sorted(types()));
    }

    private List<String> types() {
        return new ArrayList<>(config().cluster().keySet());
    }

    private static List<String> sorted(List<String> words) {
        return words.stream().sorted().toList();
    }

    /** Verifies the addresses {@code host:port} of all tasks of a type, in the order of indexes. */
    public TfConfigAssert hasAddresses(String type, String... addresses) {
        return tasks(type)
                .map(tasks -> same(
                        "addresses of " + type,
                        listed(addresses),
                        List.copyOf(tasks.addresses().values())))
                .orElse(this);
    }

    /** Verifies the address {@code host:port} of one task; ignores other tasks. */
    public TfConfigAssert hasAddress(String type, int index, String address) {
        return tasks(type)
                .map(tasks -> address(type, index, address, tasks.addresses()))
                .orElse(this);
    }

    private TfConfigAssert address(String type, int index, String address, Map<Integer, String> addresses) {
        String was = addresses.get(index);
        return was == null
                ? refuse("expected address of " + type + " " + index + " " + shown(address) + ", but indexes of " + type
                        + " are " + shown(addresses.keySet()))
                : same("address of " + type + " " + index, address, was);
    }

    private Optional<TfTasks> tasks(String type) {
        Optional<TfTasks> tasks = Optional.ofNullable(config().cluster().get(type));
        if (tasks.isEmpty()) {
            refuse("expected task type \"" + type + "\"" + suggestion(type, types()));
        }
        return tasks;
    }

    /** Verifies the value of the key {@code environment}; TensorFlow up to 1.3 requires {@code cloud}. */
    public TfConfigAssert hasEnvironment(String environment) {
        return present("environment", environment, config().environment());
    }

    /** Verifies that the key {@code environment} is absent. */
    public TfConfigAssert hasNoEnvironment() {
        return absent("environment", config().environment());
    }

    /** Verifies that the cluster lists only some of the job's tasks, as for elastic workers. */
    public TfConfigAssert isSparse() {
        return config().isSparse() ? this : refuse("expected a sparse cluster, was " + shown(actual));
    }

    /** Verifies that the cluster lists all tasks of the job. */
    public TfConfigAssert isNotSparse() {
        return config().isSparse() ? refuse("expected no sparse cluster, was " + shown(actual)) : this;
    }

    /** Verifies the JSON text of {@code TF_CONFIG}, byte for byte. */
    public TfConfigAssert hasJson(String json) {
        return same("text", json, config().json());
    }
}
