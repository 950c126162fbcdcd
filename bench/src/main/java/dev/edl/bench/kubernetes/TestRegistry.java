package dev.edl.bench.kubernetes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Container registry of the project distribution, without TLS, on loopback of the cluster's network. */
final class TestRegistry implements AutoCloseable {
    private static final long LIMIT_NANOS = 30_000_000_000L;

    private final Process process;
    private final int port;
    private final Path data;

    /**
     * Starts the registry and waits until it listens. Its program is on the {@code PATH} of {@code bench/run}.
     *
     * @param folder for its data and its log
     */
    TestRegistry(Path folder) throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        data = folder.resolve("registry");
        Files.createDirectories(data);
        Path log = folder.resolve("registry.log");
        Path config = Files.writeString(folder.resolve("registry.yml"), """
                version: 0.1
                log: {level: warn}
                storage: {filesystem: {rootdirectory: %s}}
                http: {addr: "127.0.0.1:%d"}
                """.formatted(data, port));
        ProcessBuilder command = new ProcessBuilder("registry", "serve", config.toString());
        command.environment().put("OTEL_TRACES_EXPORTER", "none");
        process = command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!listens()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException("the registry did not listen within 30 s: " + Files.readString(log));
            }
            Thread.sleep(20);
        }
    }

    /** Returns the host and port, such as {@code localhost:5000}. */
    String host() {
        return "localhost:" + port;
    }

    /** Returns the bytes of all files that the registry has. */
    long bytes() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
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
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
