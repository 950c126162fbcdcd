package dev.edl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.plan.PlanException;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.SecretRef;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretEnvTest {
    private static final String SECRET = "wJalrXUtnFEMI";

    private final Job job = Job.named("mnist")
            .env("HF_TOKEN", SECRET)
            .secretEnv("DB_PASSWORD", "db", "password")
            .master()
            .workers(2)
            .secretEnv("AWS_SECRET_ACCESS_KEY", "s3", "secret")
            .build();

    private static RoleTemplate worker(Job job) {
        return job.plan().role("worker").template();
    }

    @Test
    void a_role_inherits_the_references_of_the_defaults() {
        assertThat(worker(job).secretEnv())
                .containsExactly(
                        Map.entry("DB_PASSWORD", new SecretRef("db", "password")),
                        Map.entry("AWS_SECRET_ACCESS_KEY", new SecretRef("s3", "secret")));
        assertThat(job.plan().role("master").template().secretEnv()).containsOnlyKeys("DB_PASSWORD");
    }

    @Test
    void the_later_value_or_reference_counts_and_a_role_overrides_the_default() {
        Job twice = Job.named("mnist")
                .env("A", "1")
                .secretEnv("A", "s", "k")
                .secretEnv("B", "s", "k")
                .env("B", "2")
                .master()
                .workers(2, w -> w.env("A", "3").secretEnv("B", "t", "k"))
                .build();

        assertThat(twice.plan().role("master").template().env()).containsExactly(Map.entry("B", "2"));
        assertThat(twice.plan().role("master").template().secretEnv()).containsOnlyKeys("A");
        assertThat(worker(twice).env()).containsExactly(Map.entry("A", "3"));
        assertThat(worker(twice).secretEnv()).containsExactly(Map.entry("B", new SecretRef("t", "k")));
    }

    @Test
    void yaml_keeps_references_and_values_and_reads_them_back() {
        assertThat(job.toYaml()).contains("secretEnv:", "s3/secret", SECRET);
        assertThat(Job.fromYaml(job.toYaml())).isEqualTo(job);
        assertThat(Job.fromJson(job.toJson())).isEqualTo(job);
        assertThat(job.plan().toYaml()).contains("\"AWS_SECRET_ACCESS_KEY\": \"s3/secret\"");
    }

    @Test
    void the_table_of_a_plan_masks_values_and_shows_references() {
        assertThat(job.plan().toString())
                .doesNotContain(SECRET)
                .containsPattern("HF_TOKEN +\\*\\*\\*\n")
                .containsPattern("AWS_SECRET_ACCESS_KEY +\\(Secret s3/secret\\)\n");
    }

    @Test
    void no_text_of_a_job_for_people_has_the_value() {
        assertThat(job.toString()
                        + job.spec()
                        + worker(job)
                        + job.plan().role("worker")
                        + job.plan().replica("worker", 0))
                .doesNotContain(SECRET);
    }

    @Test
    void a_mistake_names_its_path_and_a_valid_form() {
        assertThatThrownBy(() -> Job.named("mnist")
                        .master()
                        .workers(2)
                        .secretEnv("1A", "s3", "k")
                        .secretEnv("A", "S3", "k")
                        .secretEnv("B", "s3", "a/b")
                        .build())
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(
                        "job \"mnist\": worker.secretEnv: a name must be letters, digits and underscores,"
                                + " first no digit, was \"1A\"; for example secretEnv(\"AWS_SECRET_ACCESS_KEY\", \"s3\", \"secret\")")
                .hasMessageContaining(
                        "worker.secretEnv.A: the name of a Secret must be lower-case letters, digits, dashes"
                                + " and dots, first and last a letter or digit, was \"S3\"; for example \"s3\"")
                .hasMessageContaining(
                        "worker.secretEnv.B: the key of a Secret must be letters, digits, dashes, dots and"
                                + " underscores, was \"a/b\"; for example \"secret\"");
        assertThatThrownBy(() -> Job.fromYaml("name: mnist\nroles: {master: , worker: {secretEnv: {A: s3}}}"))
                .hasMessageContaining(
                        "roles.worker.secretEnv.A: a reference to a Secret must be its name, a slash and the key,"
                                + " was \"s3\"; for example \"s3/secret\"");
    }

    @Test
    void a_computed_variable_is_refused_as_a_reference() {
        assertThatThrownBy(() -> Job.named("mnist")
                        .tensorflow()
                        .workers(2)
                        .secretEnv("TF_CONFIG", "s", "k")
                        .build()
                        .plan())
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("sets TF_CONFIG, which the plan computes");
    }

    @Test
    void messages_about_a_variable_mask_its_value() {
        assertThatThrownBy(
                        () -> Job.named("mnist").env("HF_TOKEN", SECRET + "\0").build())
                .hasMessageContaining("env.HF_TOKEN must not hold the character NUL, was \"***\"");
    }

    @Test
    void elasticdl_s_command_line_has_no_flag_for_a_reference() {
        Job all = Job.named("mnist")
                .image("i")
                .secretEnv("A", "s", "k")
                .master()
                .workers(2)
                .build();

        assertThat(ElasticDlCommand.of(ElasticDlVersion.RELEASE_1_0, ElasticDlVerb.TRAIN, all, Map.of())
                        .losses())
                .contains("secretEnv={A=s/k}: ElasticDL has no flag for it");
    }
}
