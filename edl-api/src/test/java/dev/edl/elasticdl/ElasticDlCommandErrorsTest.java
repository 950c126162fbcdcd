package dev.edl.elasticdl;

import static dev.edl.elasticdl.ElasticDlVerb.TRAIN;
import static dev.edl.elasticdl.ElasticDlVersion.JULY_2020;
import static dev.edl.elasticdl.ElasticDlVersion.MARCH_2020;
import static dev.edl.elasticdl.ElasticDlVersion.RELEASE_1_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.spec.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticDlCommandErrorsTest {
    private static final String RELEASE = "elasticdl train --job_name=a ";

    private static List<String> problems(ElasticDlVersion version, String commandLine) {
        InvalidJobException e = catchThrowableOfType(
                InvalidJobException.class, () -> ElasticDlCommand.parse(version, commandLine, Map.of()));
        return e.problems();
    }

    private static List<String> refused(ElasticDlVersion version, Job job, Map<String, String> flags) {
        InvalidJobException e =
                catchThrowableOfType(InvalidJobException.class, () -> ElasticDlCommand.of(version, TRAIN, job, flags));
        return e.problems();
    }

    @Test
    void an_unknown_flag_is_a_mistake_with_the_nearest_one() {
        assertThat(problems(RELEASE_1_0, RELEASE + "--num_worker=4 --evaluation-steps=2 --zzz=1"))
                .containsExactly(
                        "job \"a\": --num_worker is not a flag of train in ElasticDL 1.0, which would read it as"
                                + " --num_workers; write the whole name",
                        "job \"a\": --evaluation-steps is not a flag of train in ElasticDL 1.0; did you mean"
                                + " --evaluation_steps?",
                        "job \"a\": --zzz is not a flag of train in ElasticDL 1.0; none of its 77 flags is near");
    }

    @Test
    void a_flag_of_another_version_or_command_is_reported_as_such() {
        assertThat(problems(RELEASE_1_0, RELEASE + "--use_go_ps --dataset_fn=f --image_base=a --prediction_data=/p"))
                .containsExactly(
                        "job \"a\": --use_go_ps is not a flag of train in ElasticDL 1.0; it is one in ElasticDL of March"
                                + " 2020 and ElasticDL of July 2020",
                        "job \"a\": --dataset_fn is not a flag of train in ElasticDL 1.0; it is one in ElasticDL of March"
                                + " 2020 and ElasticDL of July 2020",
                        "job \"a\": --image_base is not a flag of train in ElasticDL 1.0; it is one in ElasticDL of March"
                                + " 2020",
                        "job \"a\": --prediction_data is not a flag of train in ElasticDL 1.0; it is one of predict");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --minibatch_size=0            | --minibatch_size must be at least 1, was 0
            --minibatch_size=many         | --minibatch_size must be a whole number, was "many"; for example --minibatch_size=1
            --num_workers=0               | --num_workers must be at least 1, was 0
            --use_async=ture              | --use_async must be true or false, was "ture",\
             which ElasticDL reads as false; for example --use_async=true
            --log_level=LOUD              | --log_level must be DEBUG, INFO, WARNING, ERROR, CRITICAL, was "LOUD"
            --model_def=model.py/f        | --model_def must name a function or class in a file of the model zoo, was "model.py/f"; for example --model_def=mnist_functional_api.mnist_functional_api.custom_model
            --aux_params=disable          | --aux_params: "disable" must have the form name=value; for example --aux_params="a=1; b=2"
            --critical_worker_index=1     | --critical_worker_index must be default, none, or pairs of an index and a number of relaunches, was "1"; for example --critical_worker_index=0:1,2:3
            --worker_pod_priority=medium  | --worker_pod_priority must be high, low or a fraction such as 0.5 in ElasticDL 1.0, was "medium"
            --worker_pod_priority=high=.5 | --worker_pod_priority must be high, low or a fraction such as 0.5 in ElasticDL 1.0, was "high=.5"
            --envs=A                      | --envs must be variables as name=value, separated by commas, was "A"; for example --envs=A=1,B=2
            --envs=A=1=2,B=3              | --envs: the value of A must not hold an equals sign, at which ElasticDL splits it, was "1=…"
            --envs=A=1,A=2                | --envs: A is given twice; give each variable once
            --output=it\\'s               | --output must not hold a single quote, which ElasticDL puts around each value in the master's command line, was "it's"
            --ps_resource_request=memory=4096       | --ps_resource_request: memory must be a whole number of Ki Mi Gi Ti Pi Ei M G T P E,\
             the form that ElasticDL and Kubernetes both accept, was "4096"; for example memory=2048Mi
            --master_resource_request=              | --master_resource_request: "" must have the form name=amount; for example cpu=2,memory=2048Mi
            --chief_resource_request=tpu.dev/v2=1   | --chief_resource_request: tpu.dev/v2 is not a resource of ElasticDL 1.0,\
             which reads cpu, memory, ephemeral-storage, gpu, <vendor>/gpu and names that begin with nvidia.com/
            --volume=mount_path=/d,claim_name=c,read_only=true | --volume must leave out\
             read_only, which ElasticDL does not support, was "mount_path=/d,claim_name=c,read_only=true"
            stray                         | "stray" must be a flag, as ElasticDL ignores other words; for example --num_workers=4
            --output --yaml=a             | --output must have a value; for example --output=…
            --output=a --output=b         | --output is given twice, as "a" and "b"; give each flag once, as ElasticDL uses the last
            """)
    void a_wrong_value_is_a_mistake(String flag, String message) {
        assertThat(problems(RELEASE_1_0, RELEASE + flag.replace("\\\\", "\\")))
                .containsExactly("job \"a\": " + message);
    }

    @Test
    void fractions_have_the_form_of_their_era() {
        assertThat(problems(JULY_2020, RELEASE + "--model_zoo=z --model_def=m.f --worker_pod_priority=0.5"))
                .containsExactly(
                        "job \"a\": --worker_pod_priority must give a fraction as high=0.5 in ElasticDL of July"
                                + " 2020, was \"0.5\"");
        assertThat(problems(
                        MARCH_2020,
                        "python -m elasticdl.python.elasticdl.client train --job_name=a --model_zoo=z --model_def=m.f"
                                + " --minibatch_size=1 --num_minibatches_per_task=1 --num_workers=1"
                                + " --worker_pod_priority=high=0.5"))
                .containsExactly("job \"a\": --worker_pod_priority must be the name of a PriorityClass in ElasticDL of"
                        + " March 2020, which has no fractions, was \"high=0.5\"");
    }

    @Test
    void devices_of_nvidia_that_are_no_whole_gpu_came_later() {
        String command = RELEASE + "--model_zoo=z --model_def=m.f --worker_resource_request=nvidia.com/mig-1g.5gb=1";

        assertThat(ElasticDlCommand.parse(RELEASE_1_0, command).losses()).isEmpty();
        assertThat(problems(JULY_2020, command))
                .containsExactly(
                        "job \"a\": --worker_resource_request: nvidia.com/mig-1g.5gb is not a resource of ElasticDL"
                                + " of July 2020, which reads cpu, memory, ephemeral-storage, gpu and <vendor>/gpu");
    }

    @Test
    void a_missing_flag_is_a_mistake_where_elasticdl_needs_it() {
        assertThat(problems(MARCH_2020, "python -m elasticdl.python.elasticdl.client evaluate"))
                .containsExactly(
                        "job: --job_name is missing, which evaluate needs in ElasticDL of March 2020",
                        "job: --num_workers is missing; without it ElasticDL of March 2020 starts no worker; for example"
                                + " --num_workers=4",
                        "job: --model_zoo is missing, which evaluate needs in ElasticDL of March 2020",
                        "job: --model_def is missing, which evaluate needs in ElasticDL of March 2020",
                        "job: --validation_data is missing, which evaluate needs in ElasticDL of March 2020",
                        "job: --checkpoint_dir_for_init is missing, which evaluate needs in ElasticDL of March 2020",
                        "job: --minibatch_size is missing, which evaluate needs in ElasticDL of March 2020",
                        "job: --num_minibatches_per_task is missing, which evaluate needs in ElasticDL of March 2020");
    }

    @Test
    void mistakes_of_flags_and_of_the_job_come_together() {
        assertThat(problems(RELEASE_1_0, "elasticdl train --job_name=Mnist --num_epoch=3"))
                .containsExactly(
                        "job \"Mnist\": --num_epoch is not a flag of train in ElasticDL 1.0, which would read it as"
                                + " --num_epochs; write the whole name",
                        "job \"Mnist\": name must be lower-case letters, digits and dashes, first a letter, last no"
                                + " dash, was \"Mnist\"; for example name(\"test-mnist\")");
    }

    @Test
    void the_first_letters_of_a_flag_are_not_the_flag() {
        String command = RELEASE + "--model_zoo=z --model_def=m.f ";

        assertThat(problems(JULY_2020, command + "--num_w=4"))
                .containsExactly(
                        "job \"a\": --num_w is not a flag of train in ElasticDL of July 2020, which would read it"
                                + " as --num_workers; write the whole name");
        assertThat(problems(JULY_2020, command + "--num_=4"))
                .containsExactly(
                        "job \"a\": --num_ is not a flag of train in ElasticDL of July 2020, where it is a prefix"
                                + " of --num_ps_pods, --num_workers, --num_minibatches_per_task, --num_epochs; write the"
                                + " whole name");
    }

    @Test
    void a_shell_operator_is_reported_once() {
        assertThat(problems(JULY_2020, RELEASE + "&& echo done"))
                .containsExactly(
                        "job: the command line must be one command without the shell's \"&\" outside of quotes");
    }

    @Test
    void a_command_line_of_another_version_is_recognized_by_its_beginning() {
        assertThat(problems(JULY_2020, "/usr/bin/python3.7 -m elasticdl.python.elasticdl.client train --job_name=a"))
                .containsExactly(
                        "job: a command line of ElasticDL of July 2020 must begin with \"elasticdl train\", was"
                                + " \"/usr/bin/python3.7 -m elasticdl.python.elasticdl.client train --job_name=a\"; that form is"
                                + " for ElasticDL of March 2020");
    }

    @Test
    void what_starts_no_job_is_refused() {
        assertThat(problems(JULY_2020, "elasticdl zoo init"))
                .containsExactly("job: \"zoo\" starts no job; known are train, evaluate, predict");
        assertThat(problems(JULY_2020, "elasticdl trian --job_name=a"))
                .containsExactly("job: \"trian\" starts no job; did you mean \"train\"?");
        assertThat(problems(JULY_2020, "python -m elasticdl.python.elasticdl.client train"))
                .containsExactly(
                        "job: a command line of ElasticDL of July 2020 must begin with \"elasticdl train\", was"
                                + " \"python -m elasticdl.python.elasticdl.client train\"; that form is for ElasticDL"
                                + " of March 2020");
        assertThat(problems(MARCH_2020, ""))
                .containsExactly("job: a command line of ElasticDL of March 2020 must begin with \"python -m"
                        + " elasticdl.python.elasticdl.client train\", was \"\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a | b", "a; b", "a > b", "$(a)", "`a`", "a && b", "a\nb"})
    void what_needs_a_shell_is_refused(String text) {
        assertThat(problems(JULY_2020, "elasticdl train " + text))
                .isNotEmpty()
                .allMatch(line -> line.contains("shell") || line.contains("only plain variables"));
    }

    @Test
    void a_variable_without_a_value_is_a_mistake() {
        assertThat(problems(JULY_2020, ElasticDlCommandTest.JULY))
                .containsExactly("job: the variable PROJECT_ID has no value; give it, for example"
                        + " Map.of(\"PROJECT_ID\", \"…\"), or put it into single quotes to keep it as text");
    }

    @Test
    void a_job_that_elasticdl_would_misread_is_not_written() {
        Job job = Job.named("a")
                .master(master -> master.image("m:1"))
                .workers(
                        2,
                        workers -> workers.image("w:1")
                                .env("A", "1=2")
                                .request("memory=1500k")
                                .priority("high=0.5"))
                .build();

        assertThat(refused(MARCH_2020, job, Map.of("num_workers", "3", "model_zoo", "z", "model_def", "m.f")))
                .containsExactly(
                        "job \"a\": --num_workers must be left out, as the job sets it",
                        "job \"a\": --minibatch_size is missing, which train needs in ElasticDL of March 2020",
                        "job \"a\": --num_minibatches_per_task is missing, which train needs in ElasticDL of March 2020");
        assertThat(refused(JULY_2020, job, Map.of("model_zoo", "z", "model_def", "m.f")))
                .containsExactly(
                        "job \"a\": image must be one for all roles in ElasticDL of July 2020, was {master=m:1,"
                                + " worker=w:1}",
                        "job \"a\": env must be the same in all roles, as ElasticDL gives them to every pod, was"
                                + " {master={}, worker={A=1=2}}",
                        "job \"a\": --worker_resource_request: memory must be a whole number of Ki Mi Gi Ti Pi Ei M G T P"
                                + " E, the form that ElasticDL and Kubernetes both accept, was \"1500k\"; for example"
                                + " memory=2048Mi");
        Job other = Job.named("a")
                .env("A", "1=2")
                .master(master -> master.image("m:1"))
                .workers(2, workers -> workers.priority("high=0.5").request(Resources.of()))
                .build();
        assertThat(refused(RELEASE_1_0, other, Map.of()))
                .containsExactly(
                        "job \"a\": worker.image must be set, because ElasticDL would use the master's image, \"m:1\"",
                        "job \"a\": env.A must not hold an equals sign, at which ElasticDL splits it, was \"1=2\"",
                        "job \"a\": worker.requests: ElasticDL needs at least one resource, had none; for"
                                + " example cpu=2",
                        "job \"a\": worker.priority must be high, low or a fraction such as 0.5 in ElasticDL 1.0, was"
                                + " \"high=0.5\"");
        Job tensorflow = Job.named("a").tensorflow().workers(2).build();
        assertThatThrownBy(() -> ElasticDlCommand.of(RELEASE_1_0, TRAIN, tensorflow, Map.of()))
                .hasMessage("job \"a\": framework must be elasticdl for an ElasticDL command line, was tensorflow");
    }

    @Test
    void a_flag_is_asked_for_by_its_name_and_type() {
        ElasticDlCommand command = ElasticDlCommand.parse(RELEASE_1_0, RELEASE);

        assertThatThrownBy(() -> command.text("modeldef"))
                .hasMessage("--modeldef is not a flag of train in ElasticDL 1.0; did you mean --model_def?");
        assertThatThrownBy(() -> command.text("num_workers"))
                .hasMessage("--num_workers is a setting of the job; read it from job()");
        assertThatThrownBy(() -> command.number("model_def"))
                .hasMessage("--model_def is not a whole number; read it by text(\"model_def\")");
        assertThatThrownBy(() -> command.truth("num_epochs"))
                .hasMessage("--num_epochs is not a truth value; read it by text(\"num_epochs\")");
    }
}
