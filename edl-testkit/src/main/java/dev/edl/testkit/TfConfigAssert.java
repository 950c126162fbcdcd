package dev.edl.testkit;

import dev.edl.env.Task;
import dev.edl.env.TfConfig;
import dev.edl.env.TfTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Assertions on TensorFlow's {@code TF_CONFIG}: which tasks there are, where, and which of them a replica is. */
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

    /** Which task the replica is: {@code hasTask("worker", 2)}. */
    public TfConfigAssert hasTask(String type, int index) {
        return present("task", new Task(type, index), config().task());
    }

    /** It says nothing of the replica's own task. */
    public TfConfigAssert hasNoTask() {
        return absent("task", config().task());
    }

    /** All types of tasks in the cluster, in any order: {@code hasTaskTypes("chief", "ps", "worker")}. */
    public TfConfigAssert hasTaskTypes(String... types) {
        return same("task types", sorted(listed(types)), sorted(types()));
    }

    private List<String> types() {
        return new ArrayList<>(config().cluster().keySet());
    }

    private static List<String> sorted(List<String> words) {
        return words.stream().sorted().toList();
    }

    /** Where the tasks of a type are, {@code host:port}, all of them by index. */
    public TfConfigAssert hasAddresses(String type, String... addresses) {
        return tasks(type)
                .map(tasks -> same(
                        "addresses of " + type,
                        listed(addresses),
                        List.copyOf(tasks.addresses().values())))
                .orElse(this);
    }

    /** Where one task is, {@code host:port}, whatever others there are. */
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

    /** The key {@code environment}, which TensorFlow 1.3 and older look at: {@code cloud}. */
    public TfConfigAssert hasEnvironment(String environment) {
        return present("environment", environment, config().environment());
    }

    /** There is no key {@code environment}. */
    public TfConfigAssert hasNoEnvironment() {
        return absent("environment", config().environment());
    }

    /** The cluster has some of the tasks only, for workers that come and go. */
    public TfConfigAssert isSparse() {
        return config().isSparse() ? this : refuse("expected a sparse cluster, was " + shown(actual));
    }

    /** The cluster has all tasks. */
    public TfConfigAssert isNotSparse() {
        return config().isSparse() ? refuse("expected no sparse cluster, was " + shown(actual)) : this;
    }

    /** The text, byte for byte. */
    public TfConfigAssert hasJson(String json) {
        return same("text", json, config().json());
    }
}
