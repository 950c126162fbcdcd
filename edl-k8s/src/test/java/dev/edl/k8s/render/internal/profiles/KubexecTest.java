package dev.edl.k8s.render.internal.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's replacement of ssh, run by a shell; no test machine has {@code /opt/kube/kubectl}. */
class KubexecTest {
    @TempDir
    private Path folder;

    private String run(int code) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a launcher's image has a shell, not every machine");
        Path script = Files.writeString(folder.resolve("kubexec.sh"), EtObjects.kubexec());
        Path said = folder.resolve("said");
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", script.toString(), "mnist-worker-1", "orted", "-x", "1")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        shell.environment().put("PATH", folder.toString());
        Process process = shell.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(code);
        return Files.readString(said);
    }

    // E.D n: nothing filled the volume of kubectl, and no other kubectl was used
    @Test
    void n_the_kubectl_of_the_launchers_image_counts_where_the_volume_has_none() throws Exception {
        Path kubectl = Files.writeString(folder.resolve("kubectl"), "#!/bin/sh\necho \"$@\"\n");
        assertThat(kubectl.toFile().setExecutable(true)).isTrue();

        assertThat(run(0)).endsWith("\nexec mnist-worker-1 --container worker -- /bin/sh -c orted -x 1\n");
    }

    // E.D n
    @Test
    void n_a_launcher_without_any_kubectl_says_so() throws Exception {
        assertThat(run(127)).contains("\nno kubectl: neither in /opt/kube nor on the PATH of the launcher's image\n");
    }
}
