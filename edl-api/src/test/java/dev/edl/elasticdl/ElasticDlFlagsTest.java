package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlVerb.EVALUATE;
import static dev.edl.elasticdl.ElasticDlVerb.PREDICT;
import static dev.edl.elasticdl.ElasticDlVerb.TRAIN;
import static dev.edl.elasticdl.ElasticDlVersion.JULY_2020;
import static dev.edl.elasticdl.ElasticDlVersion.MARCH_2020;
import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The flags of ElasticDL's own clients: of its repository at dd89d3f2 (March 2020) and at the tag v0.2.0-rc2 (July 2020),
 * and of elasticdl-client 1.0.0. {@code conformance/frameworks/run elasticdl} compares with the software itself.
 */
class ElasticDlFlagsTest {
    private static final String MARCH_2020_ALL = """
            callbacks checkpoint_dir checkpoint_dir_for_init checkpoint_steps cluster_spec custom_data_reader
            data_reader_params dataset_fn distribution_strategy docker_base_url docker_image_repository
            docker_tlscert docker_tlskey envs eval_metrics_fn extra_pypi_index force_use_kube_config_file
            get_model_steps image_base image_name image_pull_policy job_name keep_checkpoint_max log_level loss
            master_pod_priority master_resource_limit master_resource_request minibatch_size model_def
            model_params model_zoo namespace num_minibatches_per_task num_ps_pods num_workers optimizer output
            ps_pod_priority ps_resource_limit ps_resource_request restart_policy use_go_ps volume
            worker_pod_priority worker_resource_limit worker_resource_request yaml
            """;

    private static final String JULY_2020_ALL = """
            aux_params callbacks checkpoint_dir checkpoint_dir_for_init checkpoint_steps cluster_spec
            custom_data_reader data_reader_params dataset_fn distribution_strategy envs eval_metrics_fn
            extra_pypi_index force_use_kube_config_file get_model_steps image_name image_pull_policy job_name
            keep_checkpoint_max log_file_path log_level loss master_pod_priority master_resource_limit
            master_resource_request minibatch_size model_def model_params model_zoo namespace
            num_minibatches_per_task num_ps_pods num_workers optimizer output ps_pod_priority ps_resource_limit
            ps_resource_request restart_policy use_go_ps volume worker_pod_priority worker_resource_limit
            worker_resource_request yaml
            """;

    private static final String RELEASE_1_0_ALL = """
            aux_params callbacks checkpoint_dir checkpoint_dir_for_init checkpoint_steps chief_pod_priority
            chief_resource_limit chief_resource_request cluster_spec cluster_spec_json custom_data_reader
            data_reader_params distribution_strategy envs eval_metrics_fn evaluator_pod_priority
            evaluator_resource_limit evaluator_resource_request extra_pypi_index feed force_use_kube_config_file
            get_model_steps image_name image_pull_policy job_name keep_checkpoint_max log_file_path log_level
            loss master_pod_priority master_resource_limit master_resource_request minibatch_size model_def
            model_zoo namespace num_evaluators num_minibatches_per_task num_ps_pods num_workers optimizer output
            populate_env_names ps_image ps_pod_priority ps_resource_limit ps_resource_request restart_policy
            volume worker_image worker_pod_priority worker_resource_limit worker_resource_request yaml
            """;

    @Test
    void every_flag_of_elasticdl_is_known_and_no_other() {
        assertThat(names(MARCH_2020, TRAIN)).isEqualTo(with(MARCH_2020_ALL, """
                evaluation_start_delay_secs evaluation_steps evaluation_throttle_secs grads_to_wait
                lr_staleness_modulation num_epochs sync_version_tolerance tensorboard_log_dir training_data
                use_async validation_data
                """));
        assertThat(names(MARCH_2020, EVALUATE)).isEqualTo(with(MARCH_2020_ALL, """
                validation_data
                """));
        assertThat(names(MARCH_2020, PREDICT)).isEqualTo(with(MARCH_2020_ALL, """
                prediction_data prediction_outputs_processor
                """));
        assertThat(names(JULY_2020, TRAIN)).isEqualTo(with(JULY_2020_ALL, """
                evaluation_start_delay_secs evaluation_steps evaluation_throttle_secs grads_to_wait
                log_loss_steps lr_staleness_modulation num_epochs sync_version_tolerance tensorboard_log_dir
                training_data use_async validation_data
                """));
        assertThat(names(JULY_2020, EVALUATE)).isEqualTo(with(JULY_2020_ALL, """
                validation_data
                """));
        assertThat(names(JULY_2020, PREDICT)).isEqualTo(with(JULY_2020_ALL, """
                prediction_data prediction_outputs_processor
                """));
        assertThat(names(RELEASE_1_0, TRAIN)).isEqualTo(with(RELEASE_1_0_ALL, """
                critical_worker_index enable_automate_memory evaluation_steps grads_to_wait job_command
                launch_worker_after_ps_running log_loss_steps lr_staleness_modulation max_step
                need_elasticdl_job_service need_pod_manager need_task_manager need_tf_config num_epochs
                ps_is_critical ps_relaunch_max_num relaunch_on_worker_failure relaunch_timeout_worker
                sync_version_tolerance task_fault_tolerance training_data use_async validation_data
                """));
        assertThat(names(RELEASE_1_0, EVALUATE)).isEqualTo(with(RELEASE_1_0_ALL, """
                validation_data
                """));
        assertThat(names(RELEASE_1_0, PREDICT)).isEqualTo(with(RELEASE_1_0_ALL, """
                prediction_data prediction_outputs_processor
                """));
    }

    private static Set<String> names(ElasticDlVersion version, ElasticDlVerb verb) {
        return new TreeSet<>(ElasticDlCommand.known(version, verb));
    }

    private static Set<String> with(String all, String more) {
        return new TreeSet<>(Set.of((all + " " + more).strip().split("\\s+")));
    }
}
