package dev.edl.cli;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Result of a run of program {@code edl}. */
public record Edl(int code, String out, String err) {
    public static Edl run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = EdlCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Edl(code, out.toString(), err.toString());
    }

    /** Runs the program with a kubeconfig. */
    static Edl on(Path kubeconfig, String... args) {
        return run(Stream.concat(Arrays.stream(args), Stream.of("--kubeconfig", kubeconfig.toString()))
                .toArray(String[]::new));
    }

    /** Writes a kubeconfig whose context has the namespace {@code team} of a cluster. */
    public static Path kubeconfig(KubernetesClient client, Path directory) throws IOException {
        return Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: gpu
                clusters:
                - name: gpu
                  cluster:
                    server: %s
                contexts:
                - name: gpu
                  context:
                    cluster: gpu
                    namespace: team
                """.formatted(client.getMasterUrl()));
    }
}
