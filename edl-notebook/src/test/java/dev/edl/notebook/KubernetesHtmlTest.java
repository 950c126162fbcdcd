package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.preflight.Problem;
import dev.edl.k8s.preflight.ProblemFix;
import dev.edl.k8s.preflight.ProblemTopic;
import dev.edl.k8s.preflight.Severity;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodTemplates;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KubernetesHtmlTest {
    private static Job job() {
        return Job.builder()
                .name("mnist")
                .pytorch()
                .image("registry.example/acme/mnist:1")
                .workers(2)
                .command("train", "--api-key=hunter2")
                .env("API_TOKEN", "hunter2")
                .env("GREETING", "<b>&")
                .build();
    }

    @Test
    void manifests_are_yaml() {
        Pages.check("manifests", KubernetesHtml.of(Manifests.of(job().plan())));
    }

    @Test
    void a_pod_is_yaml() {
        Pages.check("pod", KubernetesHtml.of(PodTemplates.of(job().plan()).get("worker", 1)));
    }

    @Test
    void a_preflight_report_is_a_table_of_problems() {
        Problem missing = new Problem(
                Severity.ERROR,
                ProblemTopic.PRIORITY_CLASS,
                "worker.priority",
                "PriorityClass \"<low>\" is missing",
                "its pods are refused",
                new ProblemFix("have it made", Optional.of("kubectl create priorityclass low --value=1")));
        Problem unseen = new Problem(
                Severity.NOT_CHECKED,
                ProblemTopic.NODE,
                "worker",
                "nodes",
                "no right to list them",
                new ProblemFix("ask", Optional.empty()));

        Pages.check("preflight", KubernetesHtml.of(new PreflightReport("mnist", "team-a", List.of(unseen, missing))));
    }

    @Test
    void secrets_are_masked() {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName("aws")
                .endMetadata()
                .withData(Map.of("key", "aHVudGVyMg=="))
                .withStringData(Map.of("other", "hunter2"))
                .build();

        assertThat(KubernetesHtml.of(secret))
                .contains("key: ", "other: ", "***")
                .doesNotContain("hunter2", "aHVudGVyMg");
        assertThat(KubernetesHtml.of(Manifests.of(job().plan())))
                .contains("***")
                .doesNotContain("hunter2");
    }

    @Test
    void impossible_manifests_show_the_reason() {
        Job without = Job.builder().name("mnist").ps(1).workers(1).build();

        assertThat(KubernetesHtml.of(Manifests.of(without.plan()))).contains("no objects: job &quot;mnist&quot;");
    }
}
