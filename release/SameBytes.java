import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the bytes of two staged folders: {@code java release/SameBytes.java FIRST SECOND}. Prints each file that differs, and the
 * entries of a jar that differ. Exit code 1 if a file differs. Signatures, which contain a time, and checksums are left out.
 */
final class SameBytes {
    private static final Pattern SEAL = Pattern.compile(".*\\.(asc|md5|sha1|sha256|sha512)");

    private SameBytes() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("SameBytes: expected two staged folders, was \"" + String.join(" ", args)
                    + "\"; for example java release/SameBytes.java target/staged target/again");
            System.exit(2);
        }
        Path first = Path.of(args[0]);
        Path second = Path.of(args[1]);
        TreeSet<Path> files = new TreeSet<>(files(first));
        files.addAll(files(second));
        List<String> differences = new ArrayList<>();
        for (Path file : files) {
            differences.addAll(differences(file, first.resolve(file), second.resolve(file)));
        }
        differences.forEach(System.out::println);
        System.out.println("SameBytes: " + files.size() + " files, " + differences.size() + " differences");
        System.exit(files.isEmpty() || !differences.isEmpty() ? 1 : 0);
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> Files.isRegularFile(file) && !SEAL.matcher(file.toString()).matches())
                    .map(root::relativize)
                    .toList();
        }
    }

    private static List<String> differences(Path file, Path first, Path second) throws IOException {
        if (!Files.exists(first) || !Files.exists(second)) {
            return List.of(file + ": only in the " + (Files.exists(first) ? "first" : "second") + " folder");
        }
        if (Files.mismatch(first, second) < 0) {
            return List.of();
        }
        if (!file.toString().endsWith(".jar")) {
            return List.of(file + ": differs from byte " + Files.mismatch(first, second));
        }
        Map<String, byte[]> ours = entries(first);
        Map<String, byte[]> theirs = entries(second);
        TreeSet<String> names = new TreeSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        names.removeIf(name -> Arrays.equals(ours.get(name), theirs.get(name)));
        return List.of(file + ": " + (names.isEmpty() ? outside(first, second) : "entries differ: " + names));
    }

    /** Returns the difference between two jars whose entries have the same bytes. */
    private static String outside(Path first, Path second) throws IOException {
        try (JarFile ours = new JarFile(first.toFile());
                JarFile theirs = new JarFile(second.toFile())) {
            if (!ours.stream().map(JarEntry::getName).toList().equals(theirs.stream().map(JarEntry::getName).toList())) {
                return "the order of entries differs";
            }
            return ours.stream().map(JarEntry::getTimeLocal).toList().equals(theirs.stream().map(JarEntry::getTimeLocal).toList())
                    ? "modes of entries differ, as the umask"
                    : "times of entries differ";
        }
    }

    private static Map<String, byte[]> entries(Path jar) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        try (JarFile open = new JarFile(jar.toFile())) {
            for (JarEntry entry : open.stream().toList()) {
                found.put(entry.getName(), open.getInputStream(entry).readAllBytes());
            }
        }
        return found;
    }
}
