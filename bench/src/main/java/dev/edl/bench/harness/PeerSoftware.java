package dev.edl.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Other software that figures are compared with, which must be installed first. */
public enum PeerSoftware {
    JIB("Jib's Maven plugin"),
    PYTORCH("PyTorch"),
    TORCHX("TorchX");

    private final String title;

    PeerSoftware(String title) {
        this.title = title;
    }

    /** Returns the peer's id in names of figures and in {@code --skip-peer}, such as {@code torchx}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the peer with an id.
     *
     * @throws IllegalArgumentException for an unknown id
     */
    public static PeerSoftware of(String id) {
        return Arrays.stream(values())
                .filter(peer -> peer.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--skip-peer must be "
                        + Arrays.stream(values()).map(PeerSoftware::id).collect(Collectors.joining(" or ")) + ", was \""
                        + id
                        + "\""));
    }

    /** Returns the peer with whose id the name of a figure ends; empty if there is none. */
    static Optional<PeerSoftware> of(Figure figure) {
        return Arrays.stream(values())
                .filter(peer -> figure.name().endsWith("." + peer.id()))
                .findFirst();
    }

    /**
     * Installs the peer if it is absent. Returns the Python program that can import it; if the installation fails,
     * prints the reason on standard error and returns empty. For {@link #JIB}, which is not a Python program,
     * returns the project's file.
     */
    public Optional<Path> install() throws IOException, InterruptedException {
        Process install = new ProcessBuilder(
                        top().resolve("conformance").resolve("install").toString(), id())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        install.getOutputStream().close();
        String python = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return install.waitFor() == 0 ? Optional.of(Path.of(python)) : Optional.empty();
    }

    /** Returns the Python file of the peer's process, whose head describes the commands. */
    Path program() {
        return top().resolve(Path.of("conformance", "peers", id(), "peer.py"));
    }

    /** Returns the top of the source tree, where {@code bench/run} starts the JVM. */
    public static Path top() {
        return Path.of(System.getProperty("edl.bench.top", "")).toAbsolutePath();
    }

    @Override
    public String toString() {
        return title;
    }
}
