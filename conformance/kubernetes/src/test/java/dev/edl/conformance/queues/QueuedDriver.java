package dev.edl.conformance.queues;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Program that submits a job of {@link Kueue} and drives it until signal 9 ends the program. It cancels the job once its
 * input has a byte, and ends when that ends.
 */
final class QueuedDriver {
    private static final long GONE_SECONDS = 10;

    private QueuedDriver() {}

    /** Starts the program in a JVM of its own. */
    static Process start(String namespace, String job) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        QueuedDriver.class.getName(),
                        namespace,
                        job)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Ends the program by signal 9. */
    static void kill(Process driver) throws InterruptedException {
        if (!driver.destroyForcibly().waitFor(GONE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + driver.pid() + " outlives signal 9");
        }
    }

    static void cancel(Process driver) throws IOException {
        driver.getOutputStream().write('\n');
        driver.getOutputStream().flush();
    }

    /** Arguments: namespace and name of the job. */
    public static void main(String[] args) throws IOException {
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, Kueue.OPTIONS);
                KubernetesRun run = executor.submit(Kueue.job(args[0], args[1]).build())) {
            while (System.in.read() >= 0) {
                run.cancel();
            }
            // Without closing, as signal 9 does.
            Runtime.getRuntime().halt(1);
        }
    }
}
