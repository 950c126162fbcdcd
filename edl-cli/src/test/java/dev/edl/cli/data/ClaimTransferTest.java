package dev.edl.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.cli.Edl;
import dev.edl.image.ClaimTransfer;
import dev.edl.k8s.MockCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@MockCluster
class ClaimTransferTest {
    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @TempDir
    private Path folder;

    @Test
    void a_target_of_another_form_is_quoted_with_an_example() {
        for (String target :
                new String[] {"", "My_Claim", "data:/mnist", "data://", "data:..", "data:a/../../b", "data:a//b"}) {
            String why = "CLAIM:PATH must be the name of a claim, and perhaps a colon and a path below its root without"
                    + " \"..\", was \"" + target + "\"; for example training-data:mnist/train\n";

            Edl put = Edl.run("data", "put", folder.toString(), target);
            Edl get = Edl.run("data", "get", target, folder.toString());

            assertThat(put.err()).isEqualTo(why + "edl data put --help lists the flags.\n");
            assertThat(get.err()).isEqualTo(why + "edl data get --help lists the flags.\n");
            assertThat(put.code()).isEqualTo(1);
            assertThat(get.code()).isEqualTo(1);
        }
    }

    @Test
    void a_folder_that_does_not_exist_is_quoted() {
        Path absent = folder.resolve("absent");

        assertThat(Edl.run("data", "put", absent.toString(), "data").err())
                .startsWith(
                        "FOLDER must be a folder or a file that exists, was \"" + absent + "\"; for example mnist\n");
    }

    @Test
    void a_file_in_place_of_a_folder_is_quoted() throws IOException {
        Path file = Files.writeString(folder.resolve("model.npz"), "1");

        assertThat(Edl.run("data", "get", "data", file.toString()).err())
                .startsWith("FOLDER must be a folder or absent, was \"" + file
                        + "\", which is a file; for example models\n");
    }

    @Test
    void a_user_that_the_pod_cannot_have_is_quoted() {
        for (String user : new String[] {"0", "-1", "2147483648"}) {
            assertThat(Edl.run("data", "get", "data", folder.toString(), "--user=" + user)
                            .err())
                    .startsWith("--user must be from 1 to 2147483647, because the pod may not run as root, was \""
                            + user + "\"; for example 2000\n");
        }
    }

    @Test
    void a_timeout_that_kubernetes_refuses_is_quoted() {
        assertThat(Edl.run("data", "get", "data", folder.toString(), "--timeout=24001d")
                        .err())
                .startsWith("--timeout must be at most 24000d, was \"24001d\"; for example 2h\n");
    }

    @Test
    void a_timeout_has_a_unit() {
        assertThat(Edl.run("data", "get", "data", folder.toString(), "--timeout", "5")
                        .err())
                .contains("duration must be a positive number with its unit, was \"5\"; for example 30s or 2h");
    }

    @Test
    void the_claim_is_searched_in_the_namespace_of_the_flag_or_of_the_context() throws IOException {
        Path config = Edl.kubeconfig(client, folder);
        String kubeconfig = "--kubeconfig=" + config;

        Edl put = Edl.run("data", "put", folder.toString(), "data:mnist/", kubeconfig);
        Edl get = Edl.run("data", "get", "data", folder.resolve("out").toString(), kubeconfig, "-n", "other");
        for (String root : new String[] {"data:", "data:/"}) {
            assertThat(Edl.run("data", "put", folder.toString(), root, kubeconfig)
                            .err())
                    .isEqualTo(put.err());
        }

        assertThat(put.err())
                .startsWith("claim \"data\" in namespace \"team\": files were not sent: it does not exist; create a");
        assertThat(get.err())
                .startsWith(
                        "claim \"data\" in namespace \"other\": files were not received: it does not exist; create");
        assertThat(put.code()).isEqualTo(1);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void the_progress_is_a_line_each_five_seconds() {
        StringWriter err = new StringWriter();
        AtomicLong seconds = new AtomicLong();
        Consumer<ClaimTransfer> progress = ClaimTransferOptions.progress(
                new PrintWriter(err, true), () -> TimeUnit.SECONDS.toNanos(seconds.getAndIncrement()));

        for (int done = 1; done <= 12; done++) {
            progress.accept(new ClaimTransfer(20, 0, done, 0, 0, 0));
        }

        assertThat(err.toString().lines())
                .containsExactly(
                        "5 of 20 files (0.0 of 0.0 MB) are in place; 0 files (0.0 MB) travelled",
                        "10 of 20 files (0.0 of 0.0 MB) are in place; 0 files (0.0 MB) travelled");
    }
}
