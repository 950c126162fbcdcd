package dev.edl.env;

import dev.edl.internal.text.FieldReader;
import dev.edl.internal.text.QuoteStyle;
import dev.edl.plan.ReplicaPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * {@code MX_CONFIG}, which Kubeflow's operator gives the replicas of an MXJob beside {@code DMLC_*}: TVM's tuning reads it. Immutable; the
 * text has no whitespace and the keys {@code cluster}, {@code labels}, {@code task}, maps in the order of their keys.
 *
 * @param cluster where the replicas of each role are
 * @param labels a text for each role: the annotation {@code tuner-server-key}, empty without one
 * @param task which of them this replica is
 */
public record MxConfig(SortedMap<String, List<Node>> cluster, SortedMap<String, String> labels, Task task) {
    /** The variable's name. */
    public static final String VARIABLE = "MX_CONFIG";

    /**
     * Where one replica is.
     *
     * @param url its host
     * @param port its port, 0 to 65535
     */
    public record Node(String url, int port) {
        /** Checks both. */
        public Node {
            EnvReader.host(VARIABLE + ".cluster.url", url);
            EnvReader.number(VARIABLE + ".cluster.port", port, 0, 65535);
        }

        private String json() {
            return "{\"url\":\"" + url + "\",\"port\":" + port + "}";
        }

        /** {@code url:port}. */
        @Override
        public String toString() {
            return url + ":" + port;
        }
    }

    /** Copies and checks. */
    public MxConfig {
        SortedMap<String, List<Node>> copy = new TreeMap<>();
        cluster.forEach((role, nodes) -> {
            EnvReader.checkWord(VARIABLE + ".cluster", role);
            copy.put(role, List.copyOf(nodes));
        });
        labels.keySet().forEach(role -> EnvReader.checkWord(VARIABLE + ".labels", role));
        cluster = Collections.unmodifiableSortedMap(copy);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** What the plan gives a replica; empty for one without {@code MX_CONFIG}. */
    public static Optional<MxConfig> of(ReplicaPlan replica) {
        return Optional.ofNullable(replica.env().get(VARIABLE)).map(MxConfig::parse);
    }

    /** The text of the variable. */
    public String json() {
        String nodes = cluster.entrySet().stream()
                .map(role -> "\"" + role.getKey() + "\":"
                        + role.getValue().stream().map(Node::json).collect(Collectors.joining(",", "[", "]")))
                .collect(Collectors.joining(","));
        String texts = labels.entrySet().stream()
                .map(role -> "\"" + role.getKey() + "\":" + QuoteStyle.GO.quote(role.getValue()))
                .collect(Collectors.joining(","));
        return "{\"cluster\":{" + nodes + "},\"labels\":{" + texts + "},\"task\":" + task.json() + "}";
    }

    /**
     * Reads the text of the variable, in any order of keys and with any whitespace.
     *
     * @throws IllegalArgumentException when it is no JSON, lacks a key or has an unknown one, or a value that is not as it
     *     must be
     */
    public static MxConfig parse(String json) {
        FieldReader text = JsonVariables.read(VARIABLE, json).only(List.of("cluster", "labels", "task"));
        SortedMap<String, List<Node>> cluster = new TreeMap<>();
        FieldReader roles = JsonVariables.required(text, "cluster");
        for (String role : roles.keys()) {
            List<Node> nodes = new ArrayList<>();
            JsonVariables.items(roles, JsonVariables.word(roles.path(), role), "{\"url\":…,\"port\":…}")
                    .forEach(node -> nodes.add(node(node)));
            cluster.put(role, nodes);
        }
        SortedMap<String, String> labels = new TreeMap<>();
        FieldReader texts = JsonVariables.required(text, "labels");
        for (String role : texts.keys()) {
            texts.text(JsonVariables.word(texts.path(), role)).ifPresent(label -> labels.put(role, label));
        }
        return new MxConfig(cluster, labels, JsonVariables.task(text));
    }

    private static Node node(FieldReader node) {
        node.only(List.of("url", "port"));
        return new Node(JsonVariables.text(node, "url"), JsonVariables.number(node, "port"));
    }

    /** The text of the variable. */
    @Override
    public String toString() {
        return json();
    }
}
