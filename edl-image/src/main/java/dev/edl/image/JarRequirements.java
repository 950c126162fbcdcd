package dev.edl.image;

import dev.edl.program.ProgramJars;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Requirements of a class path's jars on a pod. Class files need a Java version. The folders of JavaCPP, which ND4J
 * uses, show the machine of native libraries.
 */
final class JarRequirements {
    private static final Logger LOG = System.getLogger(JarRequirements.class.getName());

    private static final int MAGIC = 0xCAFEBABE;
    /** Version of a class file minus that of its Java: table 4.1-A of the Java Virtual Machine Specification. */
    private static final int MAJOR_BEFORE_JAVA = 44;

    /**
     * A library in JavaCPP's folder of a platform, perhaps with an extension: {@code linux-x86_64-avx2}. Other
     * libraries, such as JNA, name their folders in their own ways.
     */
    private static final Pattern NATIVE =
            Pattern.compile("(org/(?:bytedeco|nd4j)/(?:.*/)?)((?:linux|macosx|windows)-(?:x86_64|x86|arm64|armhf"
                    + "|ppc64le))(?:-[a-z0-9]+)?/[^/]+[.](?:so[.0-9]*|dylib|dll|jnilib)");

    /** JavaCPP's platforms of the architectures of nodes, as Kubernetes names these. */
    private static final Map<String, String> PLATFORMS =
            Map.of("amd64", "linux-x86_64", "arm64", "linux-arm64", "ppc64le", "linux-ppc64le");

    /** Images of Java runtimes whose tags begin with the version, and distroless ones, whose names end with it. */
    private static final Pattern RUNTIME = Pattern.compile("(?:.*/)?(?:(?:eclipse-temurin|openjdk|amazoncorretto"
            + "|sapmachine|zulu-openjdk|liberica-open[a-z-]+):(?<tag>\\d+)(?:[-._u@].*)?"
            + "|java(?<name>\\d+)(?:-debian\\d+)?(?:[:@].*)?)");

    /** Java version that EDL needs. A library with a class for it or an older one runs in all pods that can run EDL. */
    private static final int OLDEST_JAVA = 17;

    /** Class of a jar that decides which Java the jar needs: the newest of the program's, the oldest of a library. */
    private record Decisive(String jar, boolean own, int java, String type) {}

    private final List<Decisive> versions = new ArrayList<>();
    /** Platforms of each folder with natives. */
    private final Map<String, TreeSet<String>> platforms = new TreeMap<>();
    /** First jar of each folder with natives. */
    private final Map<String, String> jars = new TreeMap<>();

    private JarRequirements() {}

    /**
     * Returns the requirements of jars. Classes of multi-release folders have none, because an older Java ignores them.
     *
     * @throws IOException if a jar cannot be read
     */
    static JarRequirements of(List<ProgramJars.Jar> jars) throws IOException {
        JarRequirements requirements = new JarRequirements();
        for (ProgramJars.Jar jar : jars) {
            try (ZipFile file = new ZipFile(jar.file().toFile())) {
                requirements.add(jar, file);
            } catch (ZipException e) {
                LOG.log(Level.DEBUG, jar.file() + " is not a jar; Java ignores it", e);
            }
        }
        return requirements;
    }

    /** Returns the Java version that the name of an image states; empty if it states none. */
    static Optional<Integer> javaOf(String image) {
        Matcher name = RUNTIME.matcher(image);
        return name.matches()
                ? Optional.of(Integer.valueOf(name.group("tag") == null ? name.group("name") : name.group("tag")))
                : Optional.empty();
    }

    private void add(ProgramJars.Jar jar, ZipFile file) throws IOException {
        boolean own = jar.changes() == ProgramJars.Frequency.CLASSES;
        Decisive decisive = null;
        for (Enumeration<? extends ZipEntry> entries = file.entries(); entries.hasMoreElements(); ) {
            ZipEntry entry = entries.nextElement();
            String name = entry.getName();
            Matcher library = NATIVE.matcher(name);
            if (library.matches()) {
                String folder = library.group(1);
                platforms.computeIfAbsent(folder, unused -> new TreeSet<>()).add(library.group(2));
                jars.putIfAbsent(folder, jar.name());
            } else if (isClass(name) && (own || decisive == null || decisive.java > OLDEST_JAVA)) {
                int java = java(file, entry);
                if (decisive == null || (own ? java > decisive.java : java < decisive.java)) {
                    String type =
                            name.substring(0, name.length() - ".class".length()).replace('/', '.');
                    decisive = new Decisive(jar.name(), own, java, type);
                }
            }
        }
        if (decisive != null) {
            versions.add(decisive);
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class");
    }

    /** Returns the Java version of a class file; 0 for another file. */
    private static int java(ZipFile file, ZipEntry entry) throws IOException {
        try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
            byte[] header = in.readNBytes(2 * Integer.BYTES);
            boolean isClass = header.length == 2 * Integer.BYTES
                    && ByteBuffer.wrap(header).getInt() == MAGIC;
            return isClass ? ByteBuffer.wrap(header).getShort(6) - MAJOR_BEFORE_JAVA : 0;
        }
    }

    /**
     * Returns why pods cannot run the jars, or empty.
     *
     * @param pods the pods, for messages: {@code pods of image java:17}
     * @param java Java version of the pods; empty if unknown
     * @param architecture architecture of the pods, as Kubernetes or Java names it
     */
    Optional<String> unmet(String pods, Optional<Integer> java, String architecture) {
        return java.flatMap(version -> newer(pods, version)).or(() -> foreign(pods, architecture));
    }

    private Optional<String> newer(String pods, int java) {
        return versions.stream()
                .filter(jar -> jar.java > java)
                .findFirst()
                .map(jar -> "class " + jar.type + " of " + jar.jar + " needs Java " + jar.java + ", but " + pods
                        + " have Java " + java
                        + (jar.own ? "; compile it with --release " + java : "; take an older version of the library")
                        + ", or name an image with Java " + jar.java);
    }

    private Optional<String> foreign(String pods, String architecture) {
        String needed = PLATFORMS.get(architecture(architecture));
        if (needed == null) {
            return Optional.empty();
        }
        return platforms.entrySet().stream()
                .filter(folder -> !folder.getValue().contains(needed))
                .findFirst()
                .map(folder -> jars.get(folder.getKey()) + " has native libraries of "
                        + String.join(" and ", folder.getValue()) + ", but " + pods + " need " + needed
                        + "; add the same dependency with classifier " + needed);
    }

    /** Returns Kubernetes' name of an architecture that Java names. */
    static String architecture(String java) {
        return java.replace("x86_64", "amd64").replace("aarch64", "arm64");
    }
}
