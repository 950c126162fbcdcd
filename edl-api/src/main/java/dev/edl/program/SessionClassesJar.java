package dev.edl.program;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Classes of a JShell session or a notebook that a program uses, packed as a jar for other JVMs. JShell wraps each
 * snippet in a class {@code REPL.$JShell$N}, with variables and methods as its static members.
 */
final class SessionClassesJar {
    /** A class of a session. Local execution adds {@code REPL.$Cancel$} on newer JDKs, which snippets call. */
    private static final Pattern CLASS = Pattern.compile("REPL/\\$[^;<>.:\\[()\\s]+");

    private static final Pattern WRAPPER = Pattern.compile("REPL/\\$JShell\\$[^$]+");

    /** Thrown by each method of a class or snippet that JShell compiled without the names it does not know yet. */
    private static final String INCOMPLETE = "jdk/jshell/spi/SPIResolutionException";

    private final ClassLoader loader;
    /** Class files by their paths in the jar. */
    private final Map<String, byte[]> packed = new TreeMap<>();

    private final Deque<String> missing = new ArrayDeque<>();
    /** The method by which a wrapper was reached, for messages. */
    private final Map<String, String> methods = new HashMap<>();

    private SessionClassesJar(ClassLoader loader) {
        this.loader = loader;
    }

    /** Returns whether JShell has defined a class. */
    static boolean defines(Class<?> type) {
        return type.getName().startsWith("REPL.$JShell$");
    }

    /**
     * Writes a class and all classes of its session that it uses into a jar. The same classes give the same jar.
     *
     * @param cache created if absent
     * @throws IllegalArgumentException if a class uses a variable of the session or an undeclared name, or cannot be
     *     found
     */
    static Path jar(Class<?> program, Path cache) {
        SessionClassesJar classes = new SessionClassesJar(program.getClassLoader());
        try {
            classes.collect(program.getName().replace('.', '/'));
            return ProgramJars.store(
                    classes.packed.keySet(), path -> Objects.requireNonNull(classes.packed.get(path)), cache);
        } catch (IOException e) {
            throw new UncheckedIOException("jar of " + program.getName() + " in " + cache, e);
        }
    }

    /** Returns the class path that a session has added to that of its JVM. */
    static List<Path> additions(Class<?> program) {
        List<Path> found = new ArrayList<>();
        for (ClassLoader at = program.getClassLoader(); at != null; at = at.getParent()) {
            if (at instanceof URLClassLoader urls) {
                for (URL url : urls.getURLs()) {
                    if (url.getProtocol().equals("file")) {
                        found.add(Path.of(URI.create(url.toString())));
                    }
                }
            }
        }
        return found;
    }

    private void collect(String program) throws IOException {
        missing.add(program);
        while (!missing.isEmpty()) {
            String name = missing.remove();
            if (!packed.containsKey(name + ".class")) {
                byte[] code = read(name);
                packed.put(name + ".class", code);
                follow(name, code);
            }
        }
    }

    private byte[] read(String name) throws IOException {
        try (InputStream in = loader.getResourceAsStream(name + ".class")) {
            if (in != null) {
                return in.readAllBytes();
            }
        }
        String binary = name.replace('/', '.');
        return held(loader, binary)
                .orElseThrow(() -> new IllegalArgumentException("program: class " + binary
                        + " is not found in its session; valid: a class whose cell or snippet was run without errors"));
    }

    /**
     * Returns a class file from the maps of an object and of its enclosing object, by the binary name of the class.
     * The class loader of JJava has no resources; the object that created it maps names to class files.
     */
    private static Optional<byte[]> held(Object holder, String name) {
        for (Field field : holder.getClass().getDeclaredFields()) {
            Object value = value(field, holder);
            if (value instanceof Map<?, ?> map && map.get(name) instanceof byte[] code) {
                return Optional.of(code);
            }
            Optional<byte[]> enclosing = field.isSynthetic() && value != null ? held(value, name) : Optional.empty();
            if (enclosing.isPresent()) {
                return enclosing;
            }
        }
        return Optional.empty();
    }

    /** Returns the value of a field; null if it is null, or its module denies the access. */
    private static @Nullable Object value(Field field, Object holder) {
        try {
            return field.trySetAccessible() ? field.get(holder) : null;
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    /** Reads the constant pool of a class file, as section 4.4 of the JVM Specification defines it. */
    private void follow(String name, byte[] code) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(code));
        in.skipNBytes(8);
        int count = in.readUnsignedShort();
        int[] tags = new int[count];
        int[] first = new int[count];
        int[] second = new int[count];
        String[] texts = new String[count];
        for (int i = 1; i < count; i++) {
            tags[i] = in.readUnsignedByte();
            switch (tags[i]) {
                case 1 -> texts[i] = in.readUTF();
                case 3, 4 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                case 7, 8, 16, 19, 20 -> first[i] = in.readUnsignedShort();
                case 9, 10, 11, 12, 17, 18 -> {
                    first[i] = in.readUnsignedShort();
                    second[i] = in.readUnsignedShort();
                }
                case 15 -> in.skipNBytes(3);
                default -> throw new IOException("class " + name + ": unknown constant " + tags[i]);
            }
        }
        for (int i = 1; i < count; i++) {
            if (tags[i] == 1) {
                Matcher used = CLASS.matcher(texts[i]);
                while (used.find()) {
                    missing.add(used.group());
                }
            } else if (tags[i] == 7 && INCOMPLETE.equals(texts[first[i]])) {
                throw new IllegalArgumentException("program: " + user(name) + " uses a name that the session has not"
                        + " declared; valid: run the cell or snippet that declares it, then pass the class again");
            } else if (tags[i] == 9 || tags[i] == 10) {
                String owner = texts[first[first[i]]];
                String member = texts[first[second[i]]];
                if (WRAPPER.matcher(owner).matches()) {
                    if (tags[i] == 10) {
                        methods.putIfAbsent(owner, member);
                    } else if (!member.equals("$assertionsDisabled")) {
                        throw variable(name, member);
                    }
                }
            }
        }
    }

    private IllegalArgumentException variable(String name, String variable) {
        return new IllegalArgumentException("program: " + user(name) + " uses variable " + variable
                + " of the session, which other processes do not have; valid: an argument of main, or a constant in"
                + " the class: static final ... " + variable + " = ...");
    }

    private String user(String name) {
        return WRAPPER.matcher(name).matches()
                ? "method " + methods.get(name)
                : "class " + name.replaceFirst("REPL/\\$JShell\\$[^$]+\\$", "");
    }
}
