package dev.edl.program;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * Main class of a Java program, with the class path and the JVM options that another JVM needs to run it. The object
 * is immutable.
 *
 * <pre>{@code
 * Job job = Job.named("hello").tensorflow()
 *     .command(ProgramClassPath.of(Hello.class).command("-Xmx64m"))
 *     .workers(4).build();
 * }</pre>
 */
public final class ProgramClassPath {
    private static final String VALID =
            "; valid: a class of the class path with public static void main(String[] args)";

    /** Option of JJava's kernel for itself; a runtime of pods has no such module, and would warn of the option. */
    private static final String KERNEL = "--add-opens=jdk.jshell/";

    private final String mainClass;
    private final List<Path> entries;
    private final List<String> options;

    private ProgramClassPath(String mainClass, List<Path> entries, List<String> options) {
        this.mainClass = mainClass;
        this.entries = List.copyOf(entries);
        this.options = List.copyOf(options);
    }

    /**
     * Returns a program whose main class is on this JVM's class path or is defined in a JShell session or notebook
     * cell. The class path is read from {@code java.class.path}.
     *
     * <p>The classes of the session that the program uses are written to a jar in {@code .cache/edl/programs} of the
     * user's home directory. The jar is the first entry. The session's additions to the class path are the last.
     *
     * @param program main class of the program
     * @throws IllegalArgumentException if the class has no {@code public static void main(String[])}, belongs to a
     *     named module, or is neither on the class path nor of a session; or if it uses a variable of the session, or a
     *     name that the session has not declared
     */
    public static ProgramClassPath of(Class<?> program) {
        List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--"))
                .toList();
        Path cache = ProgramJars.cacheFolder().resolve("programs");
        return of(program, System.getProperty("java.class.path", ""), options, cache);
    }

    static ProgramClassPath of(Class<?> program, String classPath, List<String> options, Path cache) {
        String name = program.getName();
        if (program.getModule().isNamed()) {
            throw new IllegalArgumentException("program: class " + name + " belongs to " + program.getModule() + VALID);
        }
        if (!hasMain(program)) {
            throw new IllegalArgumentException(
                    "program: class " + name + " has no public static void main(String[])" + VALID);
        }
        Set<Path> found = new LinkedHashSet<>();
        if (SessionClassesJar.defines(program)) {
            found.add(SessionClassesJar.jar(program, cache).toAbsolutePath().normalize());
        }
        if (!classPath.isEmpty()
                || (!SessionClassesJar.defines(program) && System.getProperty("jdk.module.main") == null)) {
            addAll(classPath, found);
        }
        if (SessionClassesJar.defines(program)) {
            SessionClassesJar.additions(program).forEach(entry -> add(entry, found));
        }
        List<Path> entries = List.copyOf(found);
        if (!contains(entries, name)) {
            throw new IllegalArgumentException("program: class " + name + " of class loader " + program.getClassLoader()
                    + " is not on the class path"
                    + advice(String.valueOf(program.getClassLoader()), name).orElse(VALID));
        }
        return new ProgramClassPath(
                name,
                entries,
                options.stream().filter(option -> !option.startsWith(KERNEL)).toList());
    }

    /**
     * Returns the existing directories and jars of the class path, as absolute and normalized paths in the JVM's
     * search order. An empty entry is the current directory. A jar is followed by the entries of its manifest's {@code Class-Path}, as in the JAR File
     * Specification. Each entry occurs once.
     */
    public List<Path> entries() {
        return entries;
    }

    /** Returns the binary name of the main class, such as {@code com.example.Mnist}. */
    public String mainClass() {
        return mainClass;
    }

    /**
     * Returns the options of this JVM that begin with {@code --}, such as {@code --add-opens=...}. They give
     * permissions and modules to the program; heap size and agents are not among them, nor options that open
     * module {@code jdk.jshell} to a notebook's kernel.
     */
    public List<String> options() {
        return options;
    }

    /**
     * Returns the command line that runs the program on this machine: this JVM's {@code java}, {@link #options()}, the
     * given options, the class path and the main class. Arguments of the program follow.
     *
     * @param moreOptions further JVM options, such as {@code -Xmx64m}
     */
    public String[] command(String... moreOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(moreOptions));
        command.add("-cp");
        command.add(entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        return command.toArray(String[]::new);
    }

    /** Returns the main class and the class path. */
    @Override
    public String toString() {
        return mainClass + " on " + entries;
    }

    /** Returns advice for a program whose class loader has no class path for another JVM. */
    static Optional<String> advice(String loader, String program) {
        if (loader.startsWith("com.sun.tools.javac.launcher.")) {
            return Optional.of(
                    "; java runs its source file, so compile it first: javac -d classes FILE.java && java -cp"
                            + " classes " + program);
        }
        return loader.startsWith("org.codehaus.mojo.exec.")
                ? Optional.of("; exec:java runs it inside Maven, so start a JVM of its own: mvn exec:exec"
                        + " -Dexec.executable=java -Dexec.args=\"-cp %classpath " + program + "\"")
                : Optional.empty();
    }

    private static boolean hasMain(Class<?> program) {
        try {
            Method main = program.getMethod("main", String[].class);
            return Modifier.isStatic(main.getModifiers()) && main.getReturnType() == void.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static void addAll(String classPath, Set<Path> found) {
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            // An empty entry is the current folder.
            add(Path.of(entry), found);
        }
    }

    /** Adds an entry and those of its manifest. An entry that was added before ends a cycle of manifests. */
    private static void add(Path entry, Set<Path> found) {
        Path path = entry.toAbsolutePath().normalize();
        if (!Files.exists(path) || !found.add(path) || Files.isDirectory(path)) {
            return;
        }
        for (String word : manifestClassPath(path).split(" ", -1)) {
            if (!word.isEmpty()) {
                try {
                    add(Path.of(path.toUri().resolve(word)), found);
                } catch (IllegalArgumentException | FileSystemNotFoundException e) {
                    // The JVM ignores entries that are no URL of a file.
                }
            }
        }
    }

    private static String manifestClassPath(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String value =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return value == null ? "" : value;
        } catch (IOException e) {
            // The JVM ignores a file that is not a jar.
            return "";
        }
    }

    private static boolean contains(List<Path> entries, String className) {
        List<URL> urls = new ArrayList<>();
        try {
            for (Path entry : entries) {
                urls.add(entry.toUri().toURL());
            }
            try (URLClassLoader loader =
                    new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                return loader.findResource(className.replace('.', '/') + ".class") != null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("class path " + entries, e);
        }
    }
}
