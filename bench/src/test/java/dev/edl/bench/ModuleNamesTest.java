package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the module names of the published jars, which users write in {@code requires}. */
class ModuleNamesTest {
    private static final Path PROJECT = Path.of(Files.exists(Path.of("edl-api")) ? "." : "..");
    private static final Pattern NAME = Pattern.compile("<Automatic-Module-Name>(.*)</Automatic-Module-Name>");

    @Test
    void a_published_jar_has_the_name_of_its_root_package() throws IOException {
        Map<String, String> names = new TreeMap<>();
        Map<String, String> roots = new TreeMap<>();
        for (Path module : modules()) {
            String key = module.getFileName().toString();
            Matcher name = NAME.matcher(Files.readString(module.resolve("pom.xml")));
            names.put(key, name.find() ? name.group(1) : "none");
            roots.put(key, root(module.resolve("src/main/java")));
        }
        // The other modules' packages are below this one's.
        assertThat(roots.replace("edl-api", "dev.edl.api")).isEqualTo("dev.edl");

        assertThat(names).isEqualTo(roots);
        assertThat(names.values()).doesNotHaveDuplicates().hasSize(11);
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> all = Files.list(PROJECT)) {
            return all.filter(module -> Files.isDirectory(module.resolve("src/main/java")))
                    .filter(module -> module.getFileName().toString().matches("edl-(?!examples).*"))
                    .toList();
        }
    }

    /** Returns the package that all other packages of a folder are below. */
    private static String root(Path sources) throws IOException {
        try (Stream<Path> all = Files.walk(sources)) {
            List<String> packages = all.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(file)
                            .toString()
                            .replace('\\', '.')
                            .replace('/', '.'))
                    .map(name -> name.replace(".package-info.java", ""))
                    .sorted()
                    .toList();
            assertThat(packages).isNotEmpty().allMatch(name -> (name + ".").startsWith(packages.get(0) + "."));
            return packages.get(0);
        }
    }
}
