package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TfConfigTest {
    private static TfConfig example() {
        Map<String, TfTasks> cluster = new LinkedHashMap<>();
        cluster.put("worker", TfTasks.list(List.of("w-0:40", "w-1:40")));
        cluster.put("ps", TfTasks.sparse(Map.of(1, "p-1:22")));
        return TfConfig.of(cluster);
    }

    @Test
    void a_task_beyond_its_cluster_is_refused_unless_the_cluster_is_sparse() {
        assertThatThrownBy(() -> TfConfig.parse(
                        "{\"cluster\":{\"worker\":[\"w-0:1\"]},\"task\":{\"type\":\"worker\",\"index\":5}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("TF_CONFIG.task.index must be below 1, the number of addresses of worker, was 5");
        assertThat(TfConfig.parse(
                                "{\"cluster\":{\"worker\":[\"w-0:1\"]},\"task\":{\"type\":\"evaluator\",\"index\":0}}")
                        .task())
                .isPresent();
        assertThat(TfConfig.parse(
                                "{\"cluster\":{\"ps\":[\"p-3:1\"],\"worker\":{}},\"task\":{\"type\":\"ps\",\"index\":3}}")
                        .isSparse())
                .isTrue();
    }

    @Test
    void the_text_has_cluster_task_and_environment_in_this_order() {
        assertThat(example().environment("cloud").task("ps", 1).json())
                .isEqualTo("{\"cluster\":{\"worker\":[\"w-0:40\",\"w-1:40\"],\"ps\":{\"1\":\"p-1:22\"}},"
                        + "\"task\":{\"type\":\"ps\",\"index\":1},\"environment\":\"cloud\"}");
        assertThat(example())
                .hasToString("{\"cluster\":{\"worker\":[\"w-0:40\",\"w-1:40\"],\"ps\":{\"1\":\"p-1:22\"}}}");
    }

    @Test
    void it_is_read_in_any_order_and_with_an_index_in_quotes() {
        TfConfig read = TfConfig.parse("""
                { "environment": "cloud", "task": {"index": "1", "type": "ps"},
                  "cluster": {"worker": ["w-0:40", "w-1:40"], "ps": {"1": "p-1:22"}} }
                """);

        assertThat(read).isEqualTo(example().task("ps", 1).environment("cloud"));
        assertThat(read.task()).hasValue(new Task("ps", 1));
        assertThat(read.environment()).hasValue("cloud");
        assertThat(read.cluster()).containsOnlyKeys("worker", "ps");
        assertThat(read.cluster().get("ps")).isEqualTo(TfTasks.sparse(Map.of(1, "p-1:22")));
        assertThat(read.isSparse()).isTrue();
    }

    // TensorFlow's resolver has no list of allowed keys.
    @Test
    void keys_that_others_add_are_kept() {
        String text = "{\"cluster\":{\"worker\":[\"a:1\"]},\"task\":{\"type\":\"worker\",\"index\":0,\"trial\":\"1\"},"
                + "\"environment\":\"cloud\",\"job\":{\"args\":[1.50,true,null,\"\\\"\"]},\"rpc_layer\":\"grpc+verbs\"}";
        TfConfig config = TfConfig.parse(text);

        assertThat(config.json()).isEqualTo(text);
        assertThat(config.others()).containsEntry("rpc_layer", "\"grpc+verbs\"").containsOnlyKeys("job", "rpc_layer");
        assertThat(config.task().orElseThrow().others()).containsExactly(Map.entry("trial", "\"1\""));
        assertThat(config.task("worker", 1).json()).doesNotContain("trial").contains("rpc_layer");
        assertThat(TfConfig.parse("{\"cluster\":{},\"environment\":{\"a\":1}}"))
                .hasToString("{\"cluster\":{},\"environment\":{\"a\":1}}");
        assertThat(TfConfig.parse("{\"cluster\":{},\"environment\":\"a b\"}").environment("cloud"))
                .hasToString("{\"cluster\":{},\"environment\":\"cloud\"}");
    }

    @Test
    void the_old_key_of_a_sparse_cluster_is_kept() {
        TfConfig old = example().underSparseCluster();

        assertThat(old.json()).startsWith("{\"sparseCluster\":{\"worker\":");
        assertThat(TfConfig.parse(old.json())).isEqualTo(old).isNotEqualTo(example());
    }

    @Test
    void ipv6_addresses_are_addresses() {
        TfConfig config = TfConfig.of(Map.of("ps", TfTasks.list(List.of("[::1]:2222"))));

        assertThat(TfConfig.parse(config.json())).isEqualTo(config);
    }

    //
    @Test
    void the_cluster_in_the_words_of_the_first_default_parameter_server() {
        TfConfig config = TfConfig.parse("{\"cluster\":{\"worker\":[\"worker-0:2222\",\"worker-1:2222\"],"
                + "\"ps\":[\"localhost:2222\",\"ps-1:2222\"],\"master\":[\"master-0:2222\"]}}");

        assertThat(config.clusterSpec())
                .isEqualTo("master|master-0:2222,ps|localhost:2222;ps-1:2222,worker|worker-0:2222;worker-1:2222");
    }

    //
    @Test
    void each_role_of_a_tfjob_has_its_own_port() {
        TfConfig config = TfConfig.of(Job.named("myjob")
                        .tensorflow()
                        .runId("runtime")
                        .ps(2, ps -> ps.port(22))
                        .master(master -> master.port(42))
                        .workers(3, workers -> workers.port(40))
                        .build()
                        .plan(Profile.TFJOB_V1ALPHA1)
                        .replica("worker", 0))
                .orElseThrow();

        assertThat(config.cluster().get("ps")).hasToString("[\"myjob-ps-runtime-0:22\",\"myjob-ps-runtime-1:22\"]");
        assertThat(config.cluster().get("master")).hasToString("[\"myjob-master-runtime-0:42\"]");
        assertThat(config.cluster().get("worker"))
                .hasToString(
                        "[\"myjob-worker-runtime-0:40\",\"myjob-worker-runtime-1:40\",\"myjob-worker-runtime-2:40\"]");
    }

    // TFConfigClusterResolver of TensorFlow 2.15.1 returns these values.
    @Test
    void a_text_is_read_as_tensorflow_reads_it() {
        for (String index : List.of("\" 01 \"", "\"+1\"", "1.0", "1.00")) {
            assertThat(TfConfig.parse("{\"cluster\":{},\"task\":{\"type\":\"ps\",\"index\":" + index + "}}"))
                    .hasToString("{\"cluster\":{},\"task\":{\"type\":\"ps\",\"index\":1}}");
        }
        assertThat(TfConfig.parse("{\"cluster\":{\"ps\":{\"01\":\"a\",\" 2 \":\"b\"}}}"))
                .hasToString("{\"cluster\":{\"ps\":{\"1\":\"a\",\"2\":\"b\"}}}");
        assertThat(TfConfig.parse("{\"cluster\":{},\"task\":{}}")).hasToString("{\"cluster\":{}}");
        String addresses = "{\"cluster\":{\"ps\":[\"a\",\"[::1]\",\"[fe80::1%eth0]:2222\"]}}";
        assertThat(TfConfig.parse(addresses)).hasToString(addresses);
    }

    // TFConfigClusterResolver returns an empty ClusterSpec without cluster, and None for a missing type or index.
    @Test
    void a_missing_cluster_type_or_index_is_none() {
        assertThat(TfConfig.parse("{}")).hasToString("{\"cluster\":{}}");
        assertThat(TfConfig.parse("{\"task\":{\"type\":\"worker\",\"index\":7}}"))
                .hasToString("{\"cluster\":{},\"task\":{\"type\":\"worker\",\"index\":7}}");
        for (String task : List.of("{\"type\":\"ps\"}", "{\"index\":1}", "{\"trial\":1}")) {
            TfConfig config = TfConfig.parse("{\"cluster\":{},\"task\":" + task + "}");

            assertThat(config.task()).isEmpty();
            assertThat(config.others()).containsExactly(Map.entry("task", task));
            assertThat(TfConfig.parse(config.json())).isEqualTo(config);
            assertThat(config.task("ps", 0)).hasToString("{\"cluster\":{},\"task\":{\"type\":\"ps\",\"index\":0}}");
        }
    }

    // TensorFlow reads only the key cluster.
    @Test
    void a_sparse_cluster_beside_the_cluster_is_another_key() {
        String text = "{\"cluster\":{\"ps\":[\"a:1\"]},\"sparseCluster\":{\"ps\":{\"1\":\"b:1\"}}}";
        TfConfig config = TfConfig.parse(text);

        assertThat(config).hasToString(text);
        assertThat(config.isSparse()).isFalse();
        assertThat(config.others()).containsOnlyKeys("sparseCluster");
        assertThat(config.underSparseCluster()).hasToString("{\"sparseCluster\":{\"ps\":[\"a:1\"]}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | TF_CONFIG must be a map, was []; for example {\"cluster\":…,\"task\":…}",
                "{\"clusters\":{}} | TF_CONFIG.clusters: unknown key; did you mean \"cluster\"?",
                "{\"cluster\":{},\"tasks\":{}} | TF_CONFIG.tasks: unknown key; did you mean \"task\"?",
                "{\"cluster\":{\"ps\":\"a:1\"}} | TF_CONFIG.cluster.ps must be a list of addresses or a map from indexes,"
                        + " was \"a:1\"",
                "{\"cluster\":{\"ps\":[1]}} | TF_CONFIG.cluster.ps[0] must be host or host:port, with a port from"
                        + " 1 to 65535, was 1; for example ps-0.default.svc:2222",
                "{\"cluster\":{\"ps\":[\"a:65536\"]}} | TF_CONFIG.cluster.ps[0] must be host or host:port, with a port from"
                        + " 1 to 65535, was \"a:65536\"; for example ps-0.default.svc:2222",
                "{\"cluster\":{\"ps\":[\"a:0\"]}} | TF_CONFIG.cluster.ps[0] must be host or host:port, with a port from"
                        + " 1 to 65535, was \"a:0\"; for example ps-0.default.svc:2222",
                "{\"cluster\":{\"ps\":{\"0x1\":\"a:1\"}}} | TF_CONFIG.cluster.ps must be a whole number, at least 0, was"
                        + " \"0x1\"; for example 4",
                "{\"cluster\":{\"ps\":{\"1\":\"a:1\",\"01\":\"b:1\"}}} | TF_CONFIG.cluster.ps.01: index 1 is given twice;"
                        + " give each index once",
                "{\"cluster\":{\"ps\":[\"[::1%]:1\"]}} | TF_CONFIG.cluster.ps[0] must be host or host:port, with a port from"
                        + " 1 to 65535, was \"[::1%]:1\"; for example ps-0.default.svc:2222",
                "{\"cluster\":{\"p s\":[]}} | TF_CONFIG.cluster must be letters, digits, dashes, dots and underscores, was"
                        + " \"p s\"; for example worker",
                "{\"cluster\":{},\"task\":{\"type\":\"ps\",\"indx\":0}} | TF_CONFIG.task.indx: unknown key; did you"
                        + " mean \"index\"?",
                "{\"task\":{\"type\":\"p s\"}} | TF_CONFIG.task.type must be letters, digits, dashes, dots and"
                        + " underscores, was \"p s\"; for example worker",
                "{\"task\":{\"index\":\"x\"}} | TF_CONFIG.task.index must be a whole number, at least 0, was"
                        + " \"x\"; for example 4",
                "{\"cluster\":{},\"task\":{\"type\":\"ps\",\"index\":-1}} | TF_CONFIG.task.index must be a whole number, at"
                        + " least 0, was \"-1\"; for example 4",
                "{\"cluster\":{},\"task\":{\"type\":\"ps\",\"index\":1.5}} | TF_CONFIG.task.index must be a whole number, at"
                        + " least 0, was \"1.5\"; for example 4",
            })
    void mistakes_are_reported_with_their_path(String json, String message) {
        assertThatThrownBy(() -> TfConfig.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | TF_CONFIG must be a map, was nothing",
                "{\"cluster\":{} | TF_CONFIG must be JSON, was not at line 1, column 14",
                "{\"cluster\":{}} x | TF_CONFIG must be JSON, was not at line 1, column 16",
                "{\"cluster\":{},\"cluster\":{}} | TF_CONFIG.cluster is given twice; give each key once",
            })
    void invalid_json_is_reported_with_its_position(String json, String beginning) {
        assertThatThrownBy(() -> TfConfig.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(beginning)
                .hasMessageNotContaining("Source:");
    }

    @Test
    void a_text_nested_too_deeply_is_refused_with_its_path() {
        assertThatThrownBy(() -> TfConfig.parse("[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("TF_CONFIG" + "[0]".repeat(21) + " must be nested at most 20 deep, was deeper");
    }

    @Test
    void an_address_of_ipv6_is_in_brackets() {
        JobPlan plan = Job.named("j")
                .tensorflow()
                .chief()
                .workers(1)
                .build()
                .plan()
                .reachedBy((role, index) -> new Endpoint(role, index, "fd00::1", 2222));

        assertThat(plan.replica("worker", 0).env())
                .containsEntry(
                        "TF_CONFIG",
                        "{\"cluster\":{\"chief\":[\"[fd00::1]:2222\"],\"worker\":[\"[fd00::1]:2222\"]},"
                                + "\"task\":{\"type\":\"worker\",\"index\":0}}");
        assertThat(TfConfig.of(plan.replica("worker", 0))).isPresent();
    }
}
