package dev.edl.operators.et;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shell commands of a launcher's container; et-operator's defects by letter. */
class HostfileWriterTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void a_launcher_with_the_hosts_of_before() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a launcher's image has a shell, not every machine");
        for (String directory : List.of("edl", "job")) {
            Files.writeString(Files.createDirectory(folder.resolve(directory)).resolve("hostfile"), "before");
        }
    }

    private int shell(Path path, String input, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("PATH", path.toString());
        Process process = builder.start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private int write(String hosts, int bytes) throws IOException, InterruptedException {
        String script = HostfileWriter.WRITE
                .replace("/etc/edl", folder.resolve("edl").toString())
                .replace("/job", folder.resolve("job").toString());
        return shell(Path.of("/usr/bin:/bin"), hosts, "/bin/sh", "-c", script, "hosts", Integer.toString(bytes));
    }

    private String file(String directory) throws IOException {
        return Files.readString(folder.resolve(directory).resolve("hostfile"));
    }

    // E.D h: DeepSpeed's file stayed as it was
    @Test
    void h_deepspeed_s_hosts_are_replaced_with_the_others() throws Exception {
        assertThat(write("mnist-worker-0:4\nmnist-worker-10:4\n", 35)).isZero();

        assertThat(file("edl")).isEqualTo("mnist-worker-0:4\nmnist-worker-10:4\n");
        assertThat(file("job")).isEqualTo("mnist-worker-0 slots=4\nmnist-worker-10 slots=4\n");
    }

    // E.D h: the file was truncated and then written, so a concurrent reader saw a part of it
    @Test
    void h_hosts_of_which_only_a_part_has_come_are_not_taken() throws Exception {
        assertThat(write("mnist-worker-0:4\n", 35)).isNotZero();

        assertThat(file("edl")).isEqualTo("before");
        assertThat(file("job")).isEqualTo("before");
    }

    // E.D e: ps had to be in the launcher's image
    @Test
    void e_the_processes_are_found_without_ps() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/cmdline")), "a launcher runs Linux, not every machine");
        Path only = Files.createDirectory(folder.resolve("bin"));
        Files.createSymbolicLink(only.resolve("tr"), Path.of("/usr/bin/tr"));

        assertThat(shell(only, "", "/bin/sh", "-c", HostfileWriter.PROCESSES, "mnist-worker-7"))
                .isZero();

        // Other processes of this machine may have names in any encoding.
        assertThat(Files.readAllLines(folder.resolve("said"), StandardCharsets.ISO_8859_1))
                .anyMatch(line -> line.startsWith("/bin/sh -c ") && line.endsWith(" mnist-worker-7 "));
    }
}
