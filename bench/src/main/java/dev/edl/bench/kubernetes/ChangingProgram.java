package dev.edl.bench.kubernetes;

import dev.edl.image.ProgramImage;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@link DeliveredProgram} on this JVM's class path, whose folder with the benchmarks' classes is replaced by a copy.
 * In the copy the program's class changes. Not thread-safe.
 */
final class ChangingProgram {
    private static final String CLASS_FILE = DeliveredProgram.class.getName().replace('.', '/') + ".class";

    private final Path classes;
    private final List<Path> others;
    private final String classPath;
    private int turn;

    /**
     * Copies the classes.
     *
     * @param copy folder of the copy, which is created
     */
    ChangingProgram(Path copy) throws IOException {
        Path own = own();
        if (!Files.isDirectory(own)) {
            throw new IllegalStateException(
                    "the benchmarks' classes must be a folder, were " + own + "; bench/run starts them so");
        }
        classes = copy;
        try (Stream<Path> files = Files.walk(own)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = copy.resolve(own.relativize(file).toString());
                Files.createDirectories(Objects.requireNonNull(to.getParent()));
                Files.copy(file, to);
            }
        }
        others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .filter(entry -> !entry.equals(own) && Files.exists(entry))
                .toList();
        classPath = classes
                + File.pathSeparator
                + String.join(
                        File.pathSeparator, others.stream().map(Path::toString).toList());
    }

    private static Path own() {
        try {
            return Path.of(DeliveredProgram.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath()
                    .normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of the benchmarks' classes is not a path", e);
        }
    }

    /** Changes the program's class. */
    void change() throws IOException {
        byte[] before = line().getBytes(StandardCharsets.US_ASCII);
        turn++;
        Path file = classes.resolve(CLASS_FILE);
        byte[] bytes = Files.readAllBytes(file);
        int at = 0;
        while (!Arrays.equals(bytes, at, at + before.length, before, 0, before.length)) {
            at++;
        }
        System.arraycopy(line().getBytes(StandardCharsets.US_ASCII), 0, bytes, at, before.length);
        Files.write(file, bytes);
    }

    /** Returns the line that the program prints since its last change. */
    String line() {
        return String.format(Locale.ROOT, "turn-%06d", turn);
    }

    /** Returns the folder with the changing class. */
    Path classes() {
        return classes;
    }

    /** Returns the other entries of the class path. */
    List<Path> others() {
        return others;
    }

    /**
     * Returns a builder of an image of the program with its whole class path.
     *
     * @param cache folder of layers
     */
    ProgramImage.Builder image(Path cache) {
        return with(classPath, () -> ProgramImage.builder(DeliveredProgram.class))
                .cache(cache)
                .allowInsecureRegistry();
    }

    /** Returns a builder of an image of a Java runtime, with the benchmarks' own classes alone. */
    ProgramImage.Builder runtime(Path cache) {
        return with(classes.toString(), () -> ProgramImage.builder(DeliveredProgram.class))
                .cache(cache)
                .allowInsecureRegistry();
    }

    /** Calls as a JVM with the program's class path would. */
    <T> T with(Supplier<T> call) {
        return with(classPath, call);
    }

    private static <T> T with(String classPath, Supplier<T> call) {
        String own = System.getProperty("java.class.path");
        System.setProperty("java.class.path", classPath);
        try {
            return call.get();
        } finally {
            System.setProperty("java.class.path", own);
        }
    }
}
