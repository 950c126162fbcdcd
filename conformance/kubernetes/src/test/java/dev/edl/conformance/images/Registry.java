package dev.edl.conformance.images;

import dev.edl.conformance.Checks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A registry of the project distribution, on loopback of the cluster's network. */
final class Registry implements AutoCloseable {
    private final Process process;
    private final int port;
    private final Path log;

    /**
     * Starts it.
     *
     * @param folder for its data
     * @param http further lines of its configuration, in section {@code http} and after it
     */
    Registry(Path folder, String http) throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        log = folder.resolve("registry.log");
        Path config =
                Files.writeString(folder.resolve("registry.yml"), """
                version: 0.1
                log: {level: warn}
                storage: {filesystem: {rootdirectory: %s}}
                http:
                  addr: 127.0.0.1:%d
                """.formatted(folder.resolve("data"), port) + http);
        ProcessBuilder command = new ProcessBuilder("registry", "serve", config.toString());
        command.environment().put("OTEL_TRACES_EXPORTER", "none");
        process = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Checks.until("the registry listens", this::log, this::listens);
    }

    String host() {
        return "localhost:" + port;
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        Checks.check(process.waitFor(10, TimeUnit.SECONDS), "the registry must end");
    }
}
