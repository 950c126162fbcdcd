package dev.edl.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Other software that figures are compared with, which must be installed first. */
public enum Peer {
    PYTORCH("PyTorch"),
    TORCHX("TorchX");

    private final String title;

    Peer(String title) {
        this.title = title;
    }

    /** Returns the word in names of figures and in {@code --skip-peer}: {@code torchx}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the peer of a word.
     *
     * @throws IllegalArgumentException for an unknown word
     */
    public static Peer of(String id) {
        return Arrays.stream(values())
                .filter(peer -> peer.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--skip-peer must be "
                        + Arrays.stream(values()).map(Peer::id).collect(Collectors.joining(" or ")) + ", was \"" + id
                        + "\""));
    }

    /** Returns the peer of a figure, with whose word its name ends. */
    static Optional<Peer> of(Figure figure) {
        return Arrays.stream(values())
                .filter(peer -> figure.name().endsWith("." + peer.id()))
                .findFirst();
    }

    /** Installs it if it is absent; returns the Python that has it, or empty with the reason on standard error. */
    public Optional<Path> install() throws IOException, InterruptedException {
        Process install = new ProcessBuilder(
                        top().resolve("conformance").resolve("install").toString(), id())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        install.getOutputStream().close();
        String python = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return install.waitFor() == 0 ? Optional.of(Path.of(python)) : Optional.empty();
    }

    /** Returns its program, whose head describes its commands. */
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
