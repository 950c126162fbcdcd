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

    /**
     * Assertions on a text that should be a {@code TF_CONFIG}; fails when it cannot be read.
     *
     * @param owner whose it is, for the message: {@code replica elasticdl-mnist-worker-2 (worker 2)}
     */
    public static TfConfigAssert read(String owner, String json) {
        try {
            return new TfConfigAssert(owner + ", TF_CONFIG", TfConfig.parse(json));
        } catch (IllegalArgumentException e) {
            throw new AssertionError(owner + ": expected a TF_CONFIG that can be read, but " + e.getMessage(), e);
        }
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
        return same(
                "addresses of " + type,
                listed(addresses),
                List.copyOf(tasks(type).addresses().values()));
    }

    /** Where one task is, {@code host:port}, whatever others there are. */
    public TfConfigAssert hasAddress(String type, int index, String address) {
        Map<Integer, String> addresses = tasks(type).addresses();
        String was = addresses.get(index);
        if (was == null) {
            return refuse("expected address of " + type + " " + index + " " + shown(address) + ", but indexes of "
                    + type + " are " + shown(addresses.keySet()));
        }
        return same("address of " + type + " " + index, address, was);
    }

    private TfTasks tasks(String type) {
        TfTasks tasks = config().cluster().get(type);
        if (tasks == null) {
            refuse("expected task type \"" + type + "\"" + suggestion(type, types()));
            throw new AssertionError(type);
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
        return config().isSparse() ? this : refuse("expected a sparse cluster, was " + actual);
    }

    /** The cluster has all tasks. */
    public TfConfigAssert isNotSparse() {
        return config().isSparse() ? refuse("expected no sparse cluster, was " + actual) : this;
    }

    /** The text, byte for byte. */
    public TfConfigAssert hasJson(String json) {
        return present("text", json, Optional.of(config().json()));
    }
}
