package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static dev.edl.testkit.k8s.ManifestAssertions.assertThat;
import static dev.edl.testkit.k8s.PodAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.Job;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodTemplates;
import org.junit.jupiter.api.Test;

class SecretsTest {
    private static final String REFUSED = " would be in plain text in a golden file, but the name is that of a secret;"
            + " refer to a Secret instead, for example secretEnv(\"HF_TOKEN\", \"my-secret\", \"HF_TOKEN\")";

    private final Job clear = job("hf_abcdef");

    private static Job job(String token) {
        return Job.named("mnist")
                .image("img:1")
                .tensorflow()
                .workers(2)
                .env("HF_TOKEN", token)
                .build();
    }

    @Test
    void a_golden_plan_with_a_secret_is_refused() {
        fails(
                () -> assertThat(clear.plan()).matchesGolden("plans/none.yaml"),
                "plan of job \"mnist\": worker.env.HF_TOKEN" + REFUSED);
    }

    @Test
    void golden_pods_and_manifests_with_a_secret_are_refused() {
        fails(
                () -> assertThat(PodTemplates.of(clear.plan()).get("worker", 0)).matchesGolden("pods/none.yaml"),
                "pod of job \"mnist\", worker 0: spec.containers.env.HF_TOKEN" + REFUSED);
        assertThat(catchThrowable(() -> assertThat(Manifests.of(clear.plan())).matchesGolden("none.yaml")))
                .hasMessageContaining("HF_TOKEN" + REFUSED);
    }

    @Test
    void a_reference_is_taken() {
        Job job = Job.named("mnist")
                .image("img:1")
                .tensorflow()
                .workers(2)
                .secretEnv("HF_TOKEN", "hub", "token")
                .build();

        assertThat(PlaintextSecrets.in(job.plan())).isEmpty();
        assertThat(catchThrowable(() -> assertThat(job.plan()).matchesGolden("plans/none.yaml")))
                .hasMessageContaining("is not approved yet");
    }

    @Test
    void differences_of_jobs_and_plans_mask_the_values() {
        fails(
                () -> assertThat(clear).isEqualTo(job("hf_other")),
                "job \"mnist\": differs from the expected job (-: expected, +: was):\n"
                        + "only in masked values of variables with sensitive names");
        Throwable failure = catchThrowable(
                () -> assertThat(clear.toBuilder().name("other").build().plan())
                        .isEqualTo(job("hf_other").plan()));
        assertThat(failure.getMessage()).contains("other").doesNotContain("hf_");
    }

    @Test
    void messages_about_a_variable_mask_its_value() {
        fails(
                () -> assertThat(clear.plan().replica("worker", 0)).hasEnv("HF_TOKEN", "hf_other"),
                "replica elasticdl-mnist-worker-0 (worker 0): expected another value of variable HF_TOKEN; both are masked, as"
                        + " the name is sensitive");
        fails(
                () -> assertThat(clear.plan().replica("worker", 0)).doesNotHaveEnv("HF_TOKEN"),
                "replica elasticdl-mnist-worker-0 (worker 0): expected no variable HF_TOKEN, was \"***\"");
        assertThat(clear.plan().replica("worker", 0)).hasEnv("HF_TOKEN", "hf_abcdef");
    }

    @Test
    void a_reference_in_yaml_is_not_masked() {
        assertThat(PlaintextSecrets.masked(
                        "env:\n  HF_TOKEN: abc\nsecretEnv:\n  HF_TOKEN: hub/token\nother:\n  \"API_KEY\": \"x\"\n"))
                .isEqualTo("env:\n  HF_TOKEN: ***\nsecretEnv:\n  HF_TOKEN: hub/token\nother:\n  \"API_KEY\": ***\n");
    }
}
