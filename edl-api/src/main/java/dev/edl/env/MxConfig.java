package dev.edl.env;

import dev.edl.internal.text.EscapeStyle;
import dev.edl.internal.text.FieldReader;
import dev.edl.plan.ReplicaPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Variable {@code MX_CONFIG}, which Kubeflow's operator sets in the replicas of an MXJob in addition to {@code DMLC_*}; TVM's
 * tuning reads it. Immutable. The text has no whitespace and the keys {@code cluster}, {@code labels}, {@code task},
 * then all others; maps are sorted by key.
 *
 * @param cluster addresses of all replicas in the order of their indexes, by role
 * @param labels text for each role: the job's annotation {@code tuner-server-key}, empty without that annotation
 * @param task the task of this replica
 * @param others all other keys, each with its value as JSON; Kubeflow's operator writes none, and TVM ignores them
 */
public record MxConfig(
        SortedMap<String, List<Node>> cluster,
        SortedMap<String, String> labels,
        Task task,
        SortedMap<String, String> others) {
    /** The variable's name. */
    public static final String VARIABLE = "MX_CONFIG";

    private static final List<String> KEYS = List.of("cluster", "labels", "task");

    /**
     * Address of one replica.
     *
     * @param url host of the replica: a name or an IPv4 address
     * @param port port of the replica, 0 to 65535
     * @param others all other keys, each with its value as JSON
     */
    public record Node(String url, int port, SortedMap<String, String> others) {
        private static final List<String> KEYS = List.of("url", "port");

        /**
         * Checks the host, the port and the other keys.
         *
         * @throws IllegalArgumentException if one is not as above, or another key is {@code url} or {@code port}
         */
        public Node {
            EnvReader.host(VARIABLE + ".cluster.url", url);
            EnvReader.number(VARIABLE + ".cluster.port", port, 0, 65535);
            others = JsonVariables.checkedOthers(VARIABLE + ".cluster", KEYS, others);
        }

        /**
         * Creates an address without other keys.
         *
         * @throws IllegalArgumentException if the host or the port is not as above
         */
        public Node(String url, int port) {
            this(url, port, new TreeMap<>());
        }

        private static Node read(FieldReader node) {
            SortedMap<String, String> others = JsonVariables.others(node, KEYS);
            return new Node(JsonVariables.text(node, "url"), JsonVariables.number(node, "port"), others);
        }

        private String json() {
            return "{\"url\":\"" + url + "\",\"port\":" + port + JsonVariables.appendix(others) + "}";
        }

        /** Returns {@code url:port}. */
        @Override
        public String toString() {
            return url + ":" + port;
        }
    }

    /**
     * Copies the maps; checks the names of the roles and the other keys.
     *
     * @throws IllegalArgumentException if a name has other characters than letters, digits, dashes, dots and
     *     underscores, or another key is {@code cluster}, {@code labels} or {@code task}, or its value is not JSON
     */
    public MxConfig {
        SortedMap<String, List<Node>> copy = new TreeMap<>();
        cluster.forEach((role, nodes) -> {
            EnvReader.checkWord(VARIABLE + ".cluster", role);
            copy.put(role, List.copyOf(nodes));
        });
        labels.keySet().forEach(role -> EnvReader.checkWord(VARIABLE + ".labels", role));
        cluster = Collections.unmodifiableSortedMap(copy);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        others = JsonVariables.checkedOthers(VARIABLE, KEYS, others);
    }

    /**
     * Creates a value without other keys.
     *
     * @throws IllegalArgumentException if a name of a role has other characters than letters, digits, dashes, dots and
     *     underscores
     */
    public MxConfig(SortedMap<String, List<Node>> cluster, SortedMap<String, String> labels, Task task) {
        this(cluster, labels, task, new TreeMap<>());
    }

    /** Returns the {@code MX_CONFIG} that a plan gives to a replica; empty if the replica has none. */
    public static Optional<MxConfig> of(ReplicaPlan replica) {
        return Optional.ofNullable(replica.env().get(VARIABLE)).map(MxConfig::parse);
    }

    /** Returns the text of the variable. */
    public String json() {
        String nodes = cluster.entrySet().stream()
                .map(role -> "\"" + role.getKey() + "\":"
                        + role.getValue().stream().map(Node::json).collect(Collectors.joining(",", "[", "]")))
                .collect(Collectors.joining(","));
        String texts = labels.entrySet().stream()
                .map(role -> "\"" + role.getKey() + "\":" + EscapeStyle.GO.quote(role.getValue()))
                .collect(Collectors.joining(","));
        return "{\"cluster\":{" + nodes + "},\"labels\":{" + texts + "},\"task\":" + task.json()
                + JsonVariables.appendix(others) + "}";
    }

    /**
     * Parses the text of the variable, with any order of keys and any whitespace. Keeps other keys of the whole, the
     * task and the addresses. Rejects a misspelt key whose right spelling is missing.
     *
     * @throws IllegalArgumentException when the text is not JSON, or has a missing or misspelt key, or a wrong value
     */
    public static MxConfig parse(String json) {
        FieldReader text = JsonVariables.read(VARIABLE, json);
        SortedMap<String, String> others = JsonVariables.others(text, KEYS);
        SortedMap<String, List<Node>> cluster = new TreeMap<>();
        FieldReader roles = JsonVariables.required(text, "cluster");
        for (String role : roles.keys()) {
            List<Node> nodes = new ArrayList<>();
            JsonVariables.items(roles, JsonVariables.word(roles.path(), role), "{\"url\":…,\"port\":…}")
                    .forEach(node -> nodes.add(Node.read(node)));
            cluster.put(role, nodes);
        }
        SortedMap<String, String> labels = new TreeMap<>();
        FieldReader texts = JsonVariables.required(text, "labels");
        for (String role : texts.keys()) {
            texts.text(JsonVariables.word(texts.path(), role)).ifPresent(label -> labels.put(role, label));
        }
        return new MxConfig(cluster, labels, JsonVariables.task(text), others);
    }

    /** Returns the text of the variable. */
    @Override
    public String toString() {
        return json();
    }
}
