package dev.edl.env;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Addresses of the tasks of one type in a {@link TfConfig}: a list of all tasks by index, or a map from the indexes of
 * some tasks, which TensorFlow calls sparse. Immutable.
 */
public final class TfTasks {
    private enum Form {
        LIST,
        MAP,
        NULL
    }

    private static final TfTasks NOTHING = new TfTasks(Form.NULL, new TreeMap<>());

    private final Form form;
    private final SortedMap<Integer, String> addresses;

    private TfTasks(Form form, SortedMap<Integer, String> addresses) {
        this.form = form;
        this.addresses = Collections.unmodifiableSortedMap(addresses);
        addresses.forEach((index, address) -> {
            EnvReader.number("an index of a task", index, 0, Integer.MAX_VALUE);
            if (!EnvReader.isTaskAddress(address)) {
                throw EnvReader.wrongTaskAddress("the address of task " + index, "\"" + address + "\"");
            }
        });
    }

    /**
     * Returns all tasks of a type.
     *
     * @param addresses address of each task, {@code host:port} or {@code host}; the first task has index 0
     */
    public static TfTasks list(List<String> addresses) {
        SortedMap<Integer, String> byIndex = new TreeMap<>();
        for (int index = 0; index < addresses.size(); index++) {
            byIndex.put(index, addresses.get(index));
        }
        return new TfTasks(Form.LIST, byIndex);
    }

    /**
     * Returns some tasks of a type.
     *
     * @param addresses index of each task, at least 0, and its address, {@code host:port} or {@code host}
     */
    public static TfTasks sparse(Map<Integer, String> addresses) {
        return new TfTasks(Form.MAP, new TreeMap<>(addresses));
    }

    /**
     * Returns JSON's {@code null}, which Kubeflow writes for the absent parameter servers of a job with dynamic
     * workers.
     */
    public static TfTasks nothing() {
        return NOTHING;
    }

    /** Returns the addresses by index; empty when there are none. */
    public SortedMap<Integer, String> addresses() {
        return addresses;
    }

    /** Returns whether this is a map of some tasks; false if it is a list of all, or {@link #nothing}. */
    public boolean isSparse() {
        return form == Form.MAP;
    }

    String json() {
        return switch (form) {
            case LIST ->
                addresses.values().stream()
                        .map(address -> "\"" + address + "\"")
                        .collect(Collectors.joining(",", "[", "]"));
            case MAP ->
                addresses.entrySet().stream()
                        .map(task -> "\"" + task.getKey() + "\":\"" + task.getValue() + "\"")
                        .collect(Collectors.joining(",", "{", "}"));
            case NULL -> "null";
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TfTasks that && form == that.form && addresses.equals(that.addresses);
    }

    @Override
    public int hashCode() {
        return 31 * form.hashCode() + addresses.hashCode();
    }

    /** Returns JSON: {@code ["a:2222","b:2222"]}, {@code {"1":"b:2222"}}. */
    @Override
    public String toString() {
        return json();
    }
}
