package dev.edl.env;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.FieldReader;
import dev.edl.plan.ReplicaPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * TensorFlow's variable {@code TF_CONFIG}: the tasks of the cluster, their addresses, and the task of this replica.
 * Immutable.
 *
 * <pre>{@code
 * TfConfig config = TfConfig.of(plan.replica("worker", 1)).orElseThrow();
 * config.task();                    // Optional[worker 1]
 * config.cluster().get("ps");       // ["mnist-ps-0.default.svc:2222","mnist-ps-1.default.svc:2222"]
 * TfConfig.parse(config.json()).equals(config);
 * }</pre>
 *
 * <p>The text has no whitespace and the keys {@code cluster}, {@code task}, {@code environment} in this order, as the
 * operators of TfJob and Kubeflow write them; other keys follow, sorted. The task types keep the order in which they
 * were passed. Two values are equal when their texts are equal.
 *
 * @see <a href="https://www.tensorflow.org/guide/distributed_training#setting_up_the_tf_config_environment_variable">
 *     TensorFlow: distributed training</a>
 */
public final class TfConfig {
    /** The variable's name. */
    public static final String VARIABLE = "TF_CONFIG";

    private static final String CLUSTER = "cluster";
    private static final String SPARSE_CLUSTER = "sparseCluster";
    private static final String TASK = "task";
    private static final String ENVIRONMENT = "environment";
    private static final List<String> KEYS = List.of(CLUSTER, SPARSE_CLUSTER, TASK, ENVIRONMENT);

    private final String clusterKey;
    private final Map<String, TfTasks> cluster;
    private final @Nullable Task task;
    private final @Nullable String environment;
    private final SortedMap<String, String> others;

    private TfConfig(
            String clusterKey,
            Map<String, TfTasks> cluster,
            @Nullable Task task,
            @Nullable String environment,
            SortedMap<String, String> others) {
        cluster.keySet().forEach(type -> EnvReader.checkWord(clusterKey, type));
        if (environment != null) {
            EnvReader.checkWord("environment", environment);
        }
        this.clusterKey = clusterKey;
        this.cluster = Collections.unmodifiableMap(new LinkedHashMap<>(cluster));
        this.task = task;
        this.environment = environment;
        this.others = Collections.unmodifiableSortedMap(others);
    }

    /**
     * Returns a value with this cluster, without {@code task} and {@code environment}.
     *
     * @param cluster tasks by type, in the order in which they are written
     */
    public static TfConfig of(Map<String, TfTasks> cluster) {
        return new TfConfig(CLUSTER, cluster, null, null, new TreeMap<>());
    }

    /** Returns the {@code TF_CONFIG} that a plan gives to a replica; empty if the replica has none. */
    public static Optional<TfConfig> of(ReplicaPlan replica) {
        return Optional.ofNullable(replica.env().get(VARIABLE)).map(json -> read(JsonVariables.read(VARIABLE, json)));
    }

    /** Returns a copy of this value with the replica's own task. */
    public TfConfig task(String type, int index) {
        return new TfConfig(clusterKey, cluster, new Task(type, index), environment, without(others, TASK));
    }

    /**
     * Returns a copy of this value with the key {@code environment}. TensorFlow up to 1.3 requires {@code cloud}, later
     * versions ignore it.
     */
    public TfConfig environment(String environment) {
        return new TfConfig(clusterKey, cluster, task, environment, without(others, ENVIRONMENT));
    }

    /**
     * Returns a copy of this value that writes the cluster under the key {@code sparseCluster}, as Kubeflow's operator
     * up to 1.6 did for dynamic workers.
     */
    public TfConfig underSparseCluster() {
        return new TfConfig(SPARSE_CLUSTER, cluster, task, environment, without(others, SPARSE_CLUSTER));
    }

    /** Returns the tasks by type: {@code chief}, {@code evaluator}, {@code master}, {@code ps}, {@code worker}. */
    public Map<String, TfTasks> cluster() {
        return cluster;
    }

    /**
     * Returns the task of this replica; empty without one. A task that lacks its type or its index is one of the
     * {@link #others}, because TensorFlow's resolver then has no type or no index.
     */
    public Optional<Task> task() {
        return Optional.ofNullable(task);
    }

    /** Returns the value of the key {@code environment}; empty without that key. */
    public Optional<String> environment() {
        return Optional.ofNullable(environment);
    }

    /**
     * Returns all other keys, each with its value as JSON. TensorFlow reads {@code rpc_layer} and
     * {@code session_master} of these, and ignores the rest.
     */
    public SortedMap<String, String> others() {
        return others;
    }

    /** Returns whether the cluster lists only some tasks, for elastic workers. */
    public boolean isSparse() {
        return clusterKey.equals(SPARSE_CLUSTER) || cluster.values().stream().anyMatch(TfTasks::isSparse);
    }

    /**
     * Returns the cluster as {@code --cluster_spec} of {@code grpc_tensorflow_server.py}, the first TfJob operator's
     * default parameter server: {@code master|m-0:2222,ps|p-0:2222;p-1:2222}, sorted by type.
     */
    public String clusterSpec() {
        return cluster.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(type -> type.getKey() + "|"
                        + String.join(";", type.getValue().addresses().values()))
                .collect(Collectors.joining(","));
    }

    /** Returns the text of the variable. */
    public String json() {
        StringBuilder json = new StringBuilder("{\"").append(clusterKey).append("\":");
        json.append(cluster.entrySet().stream()
                .map(type -> "\"" + type.getKey() + "\":" + type.getValue().json())
                .collect(Collectors.joining(",", "{", "}")));
        if (task != null) {
            json.append(",\"task\":").append(task.json());
        }
        if (environment != null) {
            json.append(",\"environment\":\"").append(environment).append('"');
        }
        json.append(JsonVariables.appendix(others));
        return json.append('}').toString();
    }

    private static SortedMap<String, String> without(SortedMap<String, String> others, String key) {
        SortedMap<String, String> rest = new TreeMap<>(others);
        rest.remove(key);
        return rest;
    }

    /**
     * Parses the text of the variable, with any order of keys and any whitespace. An index may be a text such as
     * {@code " 01 "} or the number 1.0, and an address may have no port, as TensorFlow accepts them. A missing cluster
     * is an empty one, and an empty task is not a task. Keeps keys that TensorFlow 2.15 ignores, such as
     * {@code sparseCluster} next to {@code cluster}. Rejects a misspelt key whose right spelling is missing.
     *
     * @throws IllegalArgumentException if the text is not JSON, has a misspelt key or a wrong value, or if the task's
     *     index exceeds the cluster's list of that type
     */
    public static TfConfig parse(String json) {
        TfConfig config = read(JsonVariables.read(VARIABLE, json));
        config.task().ifPresent(config::checkTask);
        return config;
    }

    /**
     * Throws if the cluster lists the task's type with too few addresses for the task's index. Accepts a type that the
     * cluster does not list, such as an evaluator. Accepts any index in a sparse cluster.
     */
    private void checkTask(Task task) {
        TfTasks tasks = cluster.get(task.type());
        int size = tasks == null ? 0 : tasks.addresses().size();
        if (tasks != null && !isSparse() && task.index() >= size) {
            throw new IllegalArgumentException(VARIABLE + ".task.index must be below " + size
                    + ", the number of addresses of " + task.type() + ", was " + task.index());
        }
    }

    private static TfConfig read(FieldReader text) {
        SortedMap<String, String> others = JsonVariables.others(text, KEYS);
        String key = !text.has(CLUSTER) && text.has(SPARSE_CLUSTER) ? SPARSE_CLUSTER : CLUSTER;
        // TensorFlow 2 ignores the environment, whose value may be any.
        Optional<String> environment =
                text.node(ENVIRONMENT).filter(TfConfig::isWord).flatMap(node -> text.text(ENVIRONMENT));
        SortedMap<String, String> rest = new TreeMap<>(others);
        if (environment.isEmpty()) {
            text.node(ENVIRONMENT).ifPresent(node -> rest.put(ENVIRONMENT, JsonVariables.json(node)));
        }
        if (key.equals(CLUSTER)) {
            // TensorFlow reads only the cluster.
            text.node(SPARSE_CLUSTER).ifPresent(node -> rest.put(SPARSE_CLUSTER, JsonVariables.json(node)));
        }
        Task task = task(text, rest);
        return new TfConfig(key, text.has(key) ? cluster(text, key) : Map.of(), task, environment.orElse(null), rest);
    }

    private static Map<String, TfTasks> cluster(FieldReader text, String key) {
        Map<String, TfTasks> cluster = new LinkedHashMap<>();
        FieldReader types = JsonVariables.required(text, key);
        for (String type : types.keys()) {
            cluster.put(
                    JsonVariables.word(types.path(), type),
                    tasks(types, type, types.node(type).orElseThrow()));
        }
        return cluster;
    }

    /**
     * Returns the task; null without one. Adds a task that lacks its type or its index to the other keys, because
     * TFConfigClusterResolver reads either key without the other. TensorFlow reads an empty task as none.
     */
    private static @Nullable Task task(FieldReader text, SortedMap<String, String> rest) {
        if (!text.has(TASK)) {
            return null;
        }
        FieldReader task = JsonVariables.required(text, TASK);
        if (task.has("type") && task.has("index")) {
            return JsonVariables.task(text);
        }
        JsonVariables.others(task, JsonVariables.TASK);
        if (task.has("type")) {
            JsonVariables.word(task.at("type"), JsonVariables.text(task, "type"));
        }
        if (task.has("index")) {
            JsonVariables.number(task, "index");
        }
        if (!task.keys().isEmpty()) {
            rest.put(TASK, JsonVariables.json(text.node(TASK).orElseThrow()));
        }
        return null;
    }

    private static boolean isWord(DataNode node) {
        return node instanceof DataNode.Text text && EnvReader.isWord(text.value());
    }

    private static TfTasks tasks(FieldReader types, String type, DataNode node) {
        if (node instanceof DataNode.NullValue) {
            return TfTasks.nothing();
        }
        if (node instanceof DataNode.Sequence) {
            List<String> addresses = new ArrayList<>();
            types.items(type, (path, item) -> addresses.add(JsonVariables.address(path, item)));
            return TfTasks.list(addresses);
        }
        if (!(node instanceof DataNode.Mapping)) {
            throw new IllegalArgumentException(types.at(type)
                    + " must be a list of addresses or a map from indexes, was " + JsonVariables.shown(node));
        }
        Map<Integer, String> sparse = new LinkedHashMap<>();
        FieldReader indexes = types.map(type).orElseThrow();
        for (String index : indexes.keys()) {
            int number = EnvReader.number(indexes.path(), EnvReader.plainNumber(index));
            String address =
                    JsonVariables.address(indexes.at(index), indexes.node(index).orElseThrow());
            if (sparse.put(number, address) != null) {
                throw new IllegalArgumentException(
                        indexes.at(index) + ": index " + number + " is given twice; give each index once");
            }
        }
        return TfTasks.sparse(sparse);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TfConfig that && json().equals(that.json());
    }

    @Override
    public int hashCode() {
        return Objects.hash(json());
    }

    /** Returns the text of the variable. */
    @Override
    public String toString() {
        return json();
    }
}
