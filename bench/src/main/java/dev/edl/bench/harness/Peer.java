package dev.edl.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Software that figures are taken against, and that has to be installed first. */
public enum Peer {
    PYTORCH("PyTorch"),
    TORCHX("TorchX");

    private final String title;

    Peer(String title) {
        this.title = title;
    }

    /** The word in names of figures and in {@code --skip-peer}: {@code torchx}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The peer of a word.
     *
     * @throws IllegalArgumentException for a word that is none
     */
    public static Peer of(String id) {
        return Arrays.stream(values())
                .filter(peer -> peer.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--skip-peer must be "
                        + Arrays.stream(values()).map(Peer::id).collect(Collectors.joining(" or ")) + ", was \"" + id
                        + "\""));
    }

    /** The peer of a figure, which its name ends with. */
    static Optional<Peer> of(Figure figure) {
        return Arrays.stream(values())
                .filter(peer -> figure.name().endsWith("." + peer.id()))
                .findFirst();
    }

    /** Installs it unless it is there; the Python that has it, or nothing when standard error says why. */
    public Optional<Path> install() throws IOException, InterruptedException {
        Process install = new ProcessBuilder(
                        top().resolve("conformance").resolve("install").toString(), id())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        install.getOutputStream().close();
        String python = new String(install.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return install.waitFor() == 0 ? Optional.of(Path.of(python)) : Optional.empty();
    }

    /** Its program; what it understands stands at its head. */
    Path program() {
        return top().resolve(Path.of("conformance", "peers", id(), "peer.py"));
    }

    /** The top of the source tree, where {@code bench/run} starts the JVM. */
    public static Path top() {
        return Path.of(System.getProperty("edl.bench.top", "")).toAbsolutePath();
    }

    @Override
    public String toString() {
        return title;
    }
}
