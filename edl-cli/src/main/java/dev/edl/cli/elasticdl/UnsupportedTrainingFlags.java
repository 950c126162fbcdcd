package dev.edl.cli.elasticdl;

import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lists the flags of a command line that a training of EDL does not carry over, each with its reason. */
final class UnsupportedTrainingFlags {
    private static final String PYTHON = "it names a Python function; the model definition has its own";
    private static final String DOCKER = "EDL builds and pushes images without a Docker daemon";
    private static final String ALWAYS = "EDL's master always does its work";

    /** Flags that {@link ElasticDlTraining} and {@link ElasticDlRun} read. */
    private static final Set<String> CARRIED = Set.of(
            "model_def",
            "training_data",
            "validation_data",
            "prediction_data",
            "minibatch_size",
            "num_minibatches_per_task",
            "num_epochs",
            "max_step",
            "distribution_strategy",
            "use_async",
            "grads_to_wait",
            "sync_version_tolerance",
            "lr_staleness_modulation",
            "evaluation_steps",
            "checkpoint_dir",
            "checkpoint_steps",
            "keep_checkpoint_max",
            "checkpoint_dir_for_init",
            "output",
            "log_loss_steps",
            "tensorboard_log_dir",
            "image_pull_policy",
            "docker_image_repository");

    /** Values of flags that are not a loss, because EDL always does so. */
    private static final Map<String, String> SAME = Map.of(
            "log_level", "INFO",
            "restart_policy", "Never",
            "get_model_steps", "1",
            "need_task_manager", "true",
            "need_pod_manager", "true",
            "task_fault_tolerance", "true");

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("model_zoo", "the class path has the model that --model_def names"),
            Map.entry("need_task_manager", ALWAYS),
            Map.entry("need_pod_manager", ALWAYS),
            Map.entry("task_fault_tolerance", ALWAYS),
            Map.entry("dataset_fn", PYTHON),
            Map.entry("feed", PYTHON),
            Map.entry("loss", PYTHON),
            Map.entry("optimizer", PYTHON),
            Map.entry("callbacks", PYTHON),
            Map.entry("eval_metrics_fn", PYTHON),
            Map.entry("custom_data_reader", PYTHON),
            Map.entry("prediction_outputs_processor", PYTHON),
            Map.entry("data_reader_params", PYTHON),
            Map.entry("model_params", "a definition of EDL takes no parameters; set them in its class"),
            Map.entry("image_base", "the image has a Java runtime that is linked here, not Python's"),
            Map.entry("docker_base_url", DOCKER),
            Map.entry("docker_tlscert", DOCKER),
            Map.entry("docker_tlskey", DOCKER),
            Map.entry("extra_pypi_index", "no Python package is installed"),
            Map.entry("use_go_ps", "EDL has one parameter server"),
            Map.entry("get_model_steps", "a worker pulls before each minibatch"),
            Map.entry("evaluation_start_delay_secs", "evaluations follow the model's version, not the clock"),
            Map.entry("evaluation_throttle_secs", "evaluations follow the model's version, not the clock"),
            Map.entry("restart_policy", "a pod is never restarted in place; EDL relaunches replicas"),
            Map.entry("log_level", "EDL logs through System.Logger; set its level by the logging library"),
            Map.entry("log_file_path", "a replica writes to its standard output"),
            Map.entry("need_elasticdl_job_service", ALWAYS),
            Map.entry(
                    "ps_is_critical",
                    "a lost parameter server is replaced, and the training goes back to a checkpoint"),
            Map.entry("num_evaluators", "the workers evaluate"),
            Map.entry("yaml", "it writes the pods to a file; edl plan -o yaml does"));

    private UnsupportedTrainingFlags() {}

    /** Returns the losses of a command line, one line each. */
    static List<String> of(ElasticDlCommand command) {
        List<String> losses = new ArrayList<>(command.losses());
        command.flags().forEach((flag, value) -> {
            if (!CARRIED.contains(flag) && !value.equals(SAME.get(flag))) {
                losses.add("--" + flag + "=" + value + " is not carried over: "
                        + REASONS.getOrDefault(flag, "EDL has no counterpart"));
            }
        });
        if (command.verb() == ElasticDlVerb.TRAIN) {
            combinations(command, losses);
        }
        return losses;
    }

    /** Adds flags that have no effect together with other flags. */
    private static void combinations(ElasticDlCommand command, List<String> losses) {
        boolean async = command.truth("use_async");
        if (async && command.number("grads_to_wait") > 1) {
            losses.add("--grads_to_wait=" + command.number("grads_to_wait")
                    + " is 1, as in ElasticDL: asynchronous training applies each gradient on arrival");
        }
        if (async && command.number("sync_version_tolerance") > 0) {
            losses.add("--sync_version_tolerance=" + command.number("sync_version_tolerance")
                    + " has no effect, as in ElasticDL: asynchronous training has no bound of staleness");
        }
        if (command.number("evaluation_steps") > 0
                && command.text("validation_data").isEmpty()) {
            losses.add("--evaluation_steps=" + command.number("evaluation_steps")
                    + " has no effect: there is no --validation_data");
        }
    }
}
