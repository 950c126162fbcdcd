package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.k8s.MockCluster;
import dev.edl.program.ProgramClassPath;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@MockCluster
class ClassPathClaimTest {
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private ClassPathClaim claim() {
        return ClassPathClaim.of(client, "team", "classes");
    }

    /** Program of the tests. */
    public static final class Program {
        private Program() {}

        /** Does nothing. */
        public static void main(String[] args) {}
    }

    @Test
    void a_claim_that_does_not_exist_is_named_with_the_command_that_lists_claims() {
        assertThatThrownBy(() -> claim().upload(ProgramClassPath.of(Program.class), "java:17"))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "claim \"classes\" in namespace \"team\": the class path was not uploaded: it does not exist;"
                                + " create a PersistentVolumeClaim with accessModes: [ReadWriteMany], or name one of:"
                                + " kubectl get pvc --namespace team");
        assertThatThrownBy(() -> claim().prune("java:17", Duration.ofDays(1)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "claim \"classes\" in namespace \"team\": jars were not removed: it does not exist");
        assertThat(client.pods().inNamespace("team").list().getItems()).isEmpty();
    }

    @Test
    void names_that_are_none_are_refused_at_once() {
        assertThatThrownBy(() -> ClassPathClaim.of(client, "", "classes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "namespace must have only lower-case letters, digits, dashes and dots, was \"\"; for example"
                                + " default");
        assertThatThrownBy(() -> ClassPathClaim.of(client, "team", "My Claim"))
                .hasMessage("claim must have only lower-case letters, digits, dashes and dots, was \"My Claim\"; for"
                        + " example edl-classes");
        for (String image : List.of("", "https://a.example/java:17", "Java:17")) {
            String why = "image must be the name of an image: perhaps a registry, a repository, and perhaps a tag and a"
                    + " digest, was \"" + image + "\"; for example eclipse-temurin:17-jre";
            assertThatThrownBy(() -> claim().upload(ProgramClassPath.of(Program.class), image))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(why);
            assertThatThrownBy(() -> claim().prune(image, Duration.ZERO)).hasMessage(why);
        }
    }

    @Test
    void a_limit_and_an_age_have_a_sign() {
        assertThatThrownBy(() ->
                        claim().upload(ProgramClassPath.of(Program.class), "java:17", Duration.ZERO, progress -> {}))
                .hasMessage("limit must be more than zero, was PT0S; for example Duration.ofMinutes(15)");
        assertThatThrownBy(() -> claim().status("java:17", Duration.ofSeconds(-1)))
                .hasMessage("age must not be negative, was PT-1S; for example Duration.ofDays(1)");
    }

    @Test
    void mistakes_in_a_transfer_of_files_are_refused_at_once() {
        ClaimFiles data = ClaimFiles.of(client, "team", "data");
        assertThatThrownBy(() -> data.get("/x", Path.of("."), "java:17", Duration.ofMinutes(1), progress -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("path must be relative to the claim's root, without \"..\", was \"/x\"; for example"
                        + " mnist/train");
        assertThatThrownBy(() -> data.put(Path.of("absent"), "", "java:17", Duration.ofMinutes(1), progress -> {}))
                .hasMessage("from must be a folder or a file that exists, was \"" + Path.of("absent")
                        + "\"; for example Path.of(\"mnist\")");
        assertThatThrownBy(() -> data.put(Path.of("."), "", "java:17", Duration.ZERO, progress -> {}))
                .hasMessageStartingWith("limit must be more than zero, was PT0S");
        assertThatThrownBy(() -> data.put(Path.of("."), "", "java:17", Duration.ofMinutes(1), progress -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "claim \"data\" in namespace \"team\": files were not sent: it does not exist; create a");
    }

    @Test
    void the_jars_of_records_and_pods_are_used() {
        String recorded = "1".repeat(64);
        String running = "2".repeat(64);
        Job job = new ClaimedProgram("team", "classes", "acme.Mnist", List.of(), List.of(recorded, recorded), 0, 0)
                .on(Job.named("mnist"))
                .image("java:17")
                .workers(1)
                .build();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("edl-job-mnist")
                        .withNamespace("team")
                        .endMetadata()
                        .addToData("job.yaml", job.toYaml())
                        .build())
                .create();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("without-data")
                        .withNamespace("team")
                        .endMetadata()
                        .build())
                .create();
        for (String namespace : List.of("team", "others")) {
            client.resource(new PodBuilder()
                            .withNewMetadata()
                            .withName("mnist-worker-0")
                            .withNamespace(namespace)
                            .endMetadata()
                            .withNewSpec()
                            .addNewContainer()
                            .withName("main")
                            .withCommand(
                                    "java",
                                    "-cp",
                                    "/edl/classes/" + (namespace.equals("team") ? running : "3".repeat(64)) + ".jar")
                            .endContainer()
                            .endSpec()
                            .build())
                    .create();
        }

        assertThat(UsedJars.in(client, "team")).containsExactly(recorded, running);
    }
}
