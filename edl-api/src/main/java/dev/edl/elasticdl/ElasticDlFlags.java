package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlFlag.Kind.CRITICAL_WORKERS;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.NUMBER;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.PARAMETERS;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.RESOURCES;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.SYMBOL;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.TEXT;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.TRUTH;
import static dev.edl.elasticdl.ElasticDlFlag.Kind.WORD;
import static dev.edl.elasticdl.ElasticDlVerb.EVALUATE;
import static dev.edl.elasticdl.ElasticDlVerb.PREDICT;
import static dev.edl.elasticdl.ElasticDlVerb.TRAIN;
import static dev.edl.elasticdl.ElasticDlVersion.JULY_2020;
import static dev.edl.elasticdl.ElasticDlVersion.MARCH_2020;
import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;

import dev.edl.internal.text.SpellingSuggestion;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All flags of ElasticDL's clients, in the order in which a command line is written. */
final class ElasticDlFlags {
    private static final String MASTER = "cpu=0.1,memory=1024Mi";
    private static final String OTHER = "cpu=1,memory=4096Mi";

    private static final List<ElasticDlFlag> ALL = Stream.of(job(), model(), training(), running())
            .flatMap(List::stream)
            .toList();

    private static final Map<ElasticDlVersion, Map<ElasticDlVerb, Map<String, ElasticDlFlag>>> BY_NAME = byName();

    private ElasticDlFlags() {}

    /** Flags that are settings of a job. */
    private static List<ElasticDlFlag> job() {
        return List.of(
                flag("job_name").job().requiredIn(MARCH_2020, JULY_2020, RELEASE_1_0),
                flag("namespace").job().or("default"),
                flag("image_name").job(),
                flag("worker_image").job().in(RELEASE_1_0),
                flag("ps_image").job().in(RELEASE_1_0),
                resources("master_resource_request").job().or(MASTER),
                resources("master_resource_limit").job(),
                flag("master_pod_priority").job(),
                number("num_ps_pods", 0).job().or("1", "1", "0"),
                resources("ps_resource_request").job().or(OTHER),
                resources("ps_resource_limit").job(),
                flag("ps_pod_priority").job(),
                number("ps_relaunch_max_num", 0).job().in(RELEASE_1_0).of(TRAIN).or("1"),
                number("num_workers", 1).job().or("0", "2", "2"),
                resources("worker_resource_request").job().or(OTHER),
                resources("worker_resource_limit").job(),
                flag("worker_pod_priority").job(),
                number("relaunch_on_worker_failure", 0)
                        .job()
                        .in(RELEASE_1_0)
                        .of(TRAIN)
                        .or("1"),
                flag("job_command").job().in(RELEASE_1_0).of(TRAIN),
                flag("volume").job(),
                flag("envs").job());
    }

    /** Flags of the model and its data. */
    private static List<ElasticDlFlag> model() {
        return List.of(
                flag("model_zoo").requiredIn(MARCH_2020, JULY_2020),
                ElasticDlFlag.of("model_def", SYMBOL).requiredIn(MARCH_2020, JULY_2020),
                parameters("model_params").in(MARCH_2020, JULY_2020),
                flag("dataset_fn").in(MARCH_2020, JULY_2020).or("dataset_fn"),
                flag("feed").in(RELEASE_1_0).or("feed"),
                flag("loss").or("loss"),
                flag("optimizer").or("optimizer"),
                flag("callbacks").or("callbacks"),
                flag("eval_metrics_fn").or("eval_metrics_fn"),
                flag("custom_data_reader").or("custom_data_reader"),
                parameters("data_reader_params"),
                flag("training_data").of(TRAIN),
                flag("validation_data").of(TRAIN, EVALUATE).requiredFor(EVALUATE),
                flag("prediction_data").of(PREDICT).requiredFor(PREDICT),
                flag("prediction_outputs_processor").of(PREDICT).or("PredictionOutputsProcessor"),
                flag("checkpoint_dir_for_init").requiredFor(EVALUATE, PREDICT),
                number("minibatch_size", 1).requiredIn(MARCH_2020).or("", "64", "64"),
                number("num_minibatches_per_task", 1).requiredIn(MARCH_2020).or("", "8", "8"));
    }

    /** Flags of the training. */
    private static List<ElasticDlFlag> training() {
        return List.of(
                // Zero and less means without end.
                ElasticDlFlag.of("num_epochs", NUMBER).of(TRAIN).or("1"),
                number("max_step", 0).in(RELEASE_1_0).of(TRAIN).or("0"),
                word("distribution_strategy", "", "Local", "ParameterServerStrategy", "AllreduceStrategy")
                        .in(MARCH_2020, JULY_2020)
                        .or("", "ParameterServerStrategy", ""),
                word(
                                "distribution_strategy",
                                "",
                                "Local",
                                "ParameterServerStrategy",
                                "AllreduceStrategy",
                                "CustomStrategy")
                        .in(RELEASE_1_0)
                        .or("ParameterServerStrategy"),
                truth("use_async").of(TRAIN).or("false"),
                number("grads_to_wait", 1).of(TRAIN).or("1"),
                number("sync_version_tolerance", 0).of(TRAIN).or("0"),
                truth("lr_staleness_modulation").of(TRAIN).or("false"),
                number("get_model_steps", 1).or("1"),
                number("evaluation_steps", 0).of(TRAIN).or("0"),
                number("evaluation_start_delay_secs", 0)
                        .in(MARCH_2020, JULY_2020)
                        .of(TRAIN)
                        .or("100"),
                number("evaluation_throttle_secs", 0)
                        .in(MARCH_2020, JULY_2020)
                        .of(TRAIN)
                        .or("0"),
                number("checkpoint_steps", 0).or("0"),
                flag("checkpoint_dir"),
                number("keep_checkpoint_max", 0).or("0"),
                flag("output"),
                number("log_loss_steps", 1).in(JULY_2020, RELEASE_1_0).of(TRAIN).or("100"),
                flag("tensorboard_log_dir").in(MARCH_2020, JULY_2020).of(TRAIN));
    }

    /** Flags for how the processes run. */
    private static List<ElasticDlFlag> running() {
        return List.of(
                flag("image_base").in(MARCH_2020),
                flag("docker_image_repository").in(MARCH_2020),
                flag("docker_base_url").in(MARCH_2020).or("unix://var/run/docker.sock"),
                flag("docker_tlscert").in(MARCH_2020),
                flag("docker_tlskey").in(MARCH_2020),
                // By default Python's public index, which ElasticDL chooses.
                flag("extra_pypi_index"),
                word("image_pull_policy", "Never", "IfNotPresent", "Always").or("Always"),
                word("restart_policy", "Never", "OnFailure", "Always").or("Never"),
                flag("populate_env_names").in(RELEASE_1_0),
                flag("cluster_spec"),
                flag("cluster_spec_json").in(RELEASE_1_0),
                truth("use_go_ps").in(MARCH_2020, JULY_2020).or("false", "true", ""),
                resources("chief_resource_request").in(RELEASE_1_0).or(OTHER),
                resources("chief_resource_limit").in(RELEASE_1_0),
                flag("chief_pod_priority").in(RELEASE_1_0),
                number("num_evaluators", 0).in(RELEASE_1_0).or("0"),
                resources("evaluator_resource_request").in(RELEASE_1_0).or(OTHER),
                resources("evaluator_resource_limit").in(RELEASE_1_0),
                flag("evaluator_pod_priority").in(RELEASE_1_0),
                truth("need_elasticdl_job_service").in(RELEASE_1_0).of(TRAIN).or("false"),
                truth("need_task_manager").in(RELEASE_1_0).of(TRAIN).or("true"),
                truth("need_pod_manager").in(RELEASE_1_0).of(TRAIN).or("true"),
                truth("need_tf_config").in(RELEASE_1_0).of(TRAIN).or("false"),
                truth("task_fault_tolerance").in(RELEASE_1_0).of(TRAIN).or("true"),
                truth("relaunch_timeout_worker").in(RELEASE_1_0).of(TRAIN).or("false"),
                truth("ps_is_critical").in(RELEASE_1_0).of(TRAIN).or("true"),
                ElasticDlFlag.of("critical_worker_index", CRITICAL_WORKERS)
                        .in(RELEASE_1_0)
                        .of(TRAIN)
                        .or("default"),
                word("launch_worker_after_ps_running", "default", "on", "off")
                        .in(RELEASE_1_0)
                        .of(TRAIN)
                        .or("default"),
                truth("enable_automate_memory").in(RELEASE_1_0).of(TRAIN).or("true"),
                parameters("aux_params").in(JULY_2020, RELEASE_1_0),
                flag("log_file_path").in(JULY_2020, RELEASE_1_0),
                word("log_level", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
                        .or("INFO"),
                flag("yaml"),
                truth("force_use_kube_config_file").or("false"));
    }

    private static ElasticDlFlag flag(String name) {
        return ElasticDlFlag.of(name, TEXT);
    }

    private static ElasticDlFlag number(String name, int least) {
        return ElasticDlFlag.of(name, NUMBER).least(least);
    }

    private static ElasticDlFlag truth(String name) {
        return ElasticDlFlag.of(name, TRUTH);
    }

    private static ElasticDlFlag word(String name, String... words) {
        return ElasticDlFlag.of(name, WORD).choices(words);
    }

    private static ElasticDlFlag resources(String name) {
        return ElasticDlFlag.of(name, RESOURCES);
    }

    private static ElasticDlFlag parameters(String name) {
        return ElasticDlFlag.of(name, PARAMETERS);
    }

    private static Map<ElasticDlVersion, Map<ElasticDlVerb, Map<String, ElasticDlFlag>>> byName() {
        Map<ElasticDlVersion, Map<ElasticDlVerb, Map<String, ElasticDlFlag>>> all =
                new EnumMap<>(ElasticDlVersion.class);
        for (ElasticDlVersion version : ElasticDlVersion.values()) {
            Map<ElasticDlVerb, Map<String, ElasticDlFlag>> verbs = new EnumMap<>(ElasticDlVerb.class);
            for (ElasticDlVerb verb : ElasticDlVerb.values()) {
                Map<String, ElasticDlFlag> flags = new LinkedHashMap<>();
                ALL.stream().filter(flag -> flag.known(version, verb)).forEach(flag -> flags.put(flag.name(), flag));
                verbs.put(verb, flags);
            }
            all.put(version, verbs);
        }
        return all;
    }

    private static Map<String, ElasticDlFlag> flags(ElasticDlVersion version, ElasticDlVerb verb) {
        return BY_NAME.getOrDefault(version, Map.of()).getOrDefault(verb, Map.of());
    }

    /** Returns the flags of a command, in the order in which a command line is written. */
    static List<ElasticDlFlag> of(ElasticDlVersion version, ElasticDlVerb verb) {
        return List.copyOf(flags(version, verb).values());
    }

    static Optional<ElasticDlFlag> find(ElasticDlVersion version, ElasticDlVerb verb, String name) {
        return Optional.ofNullable(flags(version, verb).get(name));
    }

    /** Returns the message for a flag's name that {@link #find} does not find. */
    static String unknown(ElasticDlVersion version, ElasticDlVerb verb, String name) {
        List<ElasticDlFlag> elsewhere =
                ALL.stream().filter(flag -> flag.name().equals(name)).toList();
        List<ElasticDlVersion> versions = elsewhere.stream()
                .filter(flag -> flag.verbs().contains(verb))
                .flatMap(flag -> flag.eras().stream())
                .sorted()
                .toList();
        String what = "--" + name + " is not a flag of " + verb + " in " + version;
        if (!versions.isEmpty()) {
            return what + "; it is one in "
                    + versions.stream().map(ElasticDlVersion::toString).collect(Collectors.joining(" and "));
        }
        String verbs = elsewhere.stream()
                .filter(flag -> flag.eras().contains(version))
                .flatMap(flag -> flag.verbs().stream())
                .sorted()
                .map(ElasticDlVerb::toString)
                .collect(Collectors.joining(" and "));
        if (!verbs.isEmpty()) {
            return what + "; it is one of " + verbs;
        }
        List<String> names =
                of(version, verb).stream().map(ElasticDlFlag::toString).toList();
        List<String> longer = names.stream()
                .filter(flag -> !name.isEmpty() && flag.startsWith("--" + name))
                .toList();
        if (!longer.isEmpty()) {
            return what + (longer.size() == 1 ? ", which would read it as " : ", where it is a prefix of ")
                    + String.join(", ", longer) + "; write the whole name";
        }
        return what + "; "
                + SpellingSuggestion.to("--" + name, names)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("none of its " + names.size() + " flags is near");
    }
}
