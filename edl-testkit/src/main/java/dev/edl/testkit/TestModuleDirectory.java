package dev.edl.testkit;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the directory of the running test's module: the nearest directory above a class's compiled classes that contains
 * {@code src/test}. The class is the outermost one on the call stack with such a directory. Classes of test runners have
 * none, because they are in jars. If no class has one, the result is the working directory; builds and IDEs may start
 * tests elsewhere, so it is only the last resort.
 */
final class TestModuleDirectory {
    private TestModuleDirectory() {}

    static Path ofCaller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .distinct()
                        .flatMap(type -> of(type).stream())
                        .reduce((inner, outer) -> outer))
                .orElseGet(() -> Path.of("").toAbsolutePath());
    }

    private static Optional<Path> of(Class<?> type) {
        Path at = classes(type);
        while (at != null && !Files.isDirectory(at.resolve("src/test"))) {
            at = at.getParent();
        }
        return Optional.ofNullable(at);
    }

    /** Returns the directory of the compiled classes; null for a class from a jar, which belongs to no module. */
    private static @Nullable Path classes(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null
                || source.getLocation() == null
                || !"file".equals(source.getLocation().getProtocol())) {
            return null;
        }
        try {
            Path path = Path.of(source.getLocation().toURI());
            return Files.isDirectory(path) ? path : null;
        } catch (URISyntaxException e) {
            return null; // a class loader that does not escape special characters of a path
        }
    }
}
