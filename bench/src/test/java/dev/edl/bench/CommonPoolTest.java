package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tasks that may block must have their own threads. From JDK 25 on, CompletableFuture runs a task without an executor
 * in the common pool, which has one thread on a machine of two processors. Two tasks that wait for each other would
 * deadlock there.
 */
class CommonPoolTest {
    private static final Path PROJECT = Path.of(Files.exists(Path.of("edl-api")) ? "." : "..");
    private static final Set<String> STARTS = Set.of("supplyAsync", "runAsync");

    @Test
    void every_asynchronous_task_names_its_executor() throws IOException {
        List<Path> folders = folders();
        assertThat(folders).hasSizeGreaterThan(10);
        List<Path> classes = new ArrayList<>();
        for (Path folder : folders) {
            classes.addAll(naming(folder));
        }
        assertThat(classes).anyMatch(file -> file.endsWith("CommonPoolTest$Careless.class"));
        assertThat(withoutExecutor(new ClassFileImporter().importPaths(classes))
                        .filter(call -> !call.getOriginOwner().isEquivalentTo(Careless.class))
                        .map(JavaMethodCall::getDescription))
                .isEmpty();
    }

    @Test
    void a_task_without_an_executor_is_found() {
        assertThat(withoutExecutor(new ClassFileImporter().importClasses(Careless.class)))
                .hasSize(1);
    }

    private static Stream<JavaMethodCall> withoutExecutor(JavaClasses classes) {
        return classes.stream()
                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                .filter(call -> call.getTargetOwner().isEquivalentTo(CompletableFuture.class))
                .filter(call -> STARTS.contains(call.getName()))
                .filter(call -> call.getTarget().getRawParameterTypes().stream()
                        .noneMatch(type -> type.isEquivalentTo(Executor.class)));
    }

    /** The compiled classes of all modules, tests included. */
    private static List<Path> folders() throws IOException {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return modules.flatMap(module -> Stream.of("classes", "test-classes")
                            .map(kind -> module.resolve("target").resolve(kind)))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    /**
     * Returns the class files that contain the name of one of the methods, a superset of its callers, so that few are
     * imported.
     */
    private static List<Path> naming(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (STARTS.stream().anyMatch(bytes::contains)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    /** Starts one task with an executor and one without. */
    private static final class Careless implements Supplier<CompletableFuture<Void>> {
        @Override
        public CompletableFuture<Void> get() {
            return CompletableFuture.allOf(
                    CompletableFuture.runAsync(() -> {}, Runnable::run), CompletableFuture.runAsync(() -> {}));
        }
    }
}
