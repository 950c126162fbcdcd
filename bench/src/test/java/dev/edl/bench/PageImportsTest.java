package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the imports that a page lists for its Java. The EDL packages among them must be those of the public types in
 * the code.
 */
class PageImportsTest {
    private static final Path PROJECT = Path.of(Files.exists(Path.of("edl-api")) ? "." : "..");
    private static final Pattern BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
    private static final Pattern LINE =
            Pattern.compile("(?:Imports of this page:|The snippets import)(.*?)\\R\\R", Pattern.DOTALL);
    private static final Pattern IMPORT =
            Pattern.compile("(?:`|^import )(dev\\.edl[\\w.]*)\\.(\\*|[A-Z]\\w*)(?=[`;])", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("(?<![.\\w])[A-Z]\\w+");

    @Test
    void the_imports_of_a_page_are_those_of_its_code() throws IOException {
        Map<String, Set<String>> packages = publicTypes();
        List<String> mistakes = new ArrayList<>();
        int pages = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            String java =
                    BLOCK.matcher(text).results().map(block -> block.group(1)).collect(Collectors.joining());
            String named =
                    LINE.matcher(text).results().map(line -> line.group(1)).collect(Collectors.joining())
                            + java.lines()
                                    .filter(line -> line.startsWith("import "))
                                    .collect(Collectors.joining("\n", "\n", ""));
            Map<String, String> imports = new TreeMap<>();
            IMPORT.matcher(named)
                    .results()
                    .forEach(one -> imports.put(one.group(1) + "." + one.group(2), one.group(1)));
            if (imports.isEmpty()) {
                continue;
            }
            pages++;
            Set<String> needed = new TreeSet<>();
            TYPE.matcher(java.replaceAll("//.*|\"(\\\\.|[^\"\\\\])*\"|import .*", ""))
                    .results()
                    .map(MatchResult::group)
                    .filter(packages::containsKey)
                    .forEach(type -> {
                        Set<String> from = packages.getOrDefault(type, Set.of());
                        if (from.stream().noneMatch(imports::containsValue)) {
                            mistakes.add(page + " uses " + type + " of " + from + ", must name it as an import");
                        }
                        needed.addAll(from);
                    });
            imports.forEach((whole, from) -> {
                if (whole.endsWith(".*") && !needed.contains(from)) {
                    mistakes.add(page + " names " + whole + ", which its code does not use");
                }
            });
        }
        assertThat(mistakes).isEmpty();
        assertThat(pages).isGreaterThan(5);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(PROJECT.resolve("docs"))) {
            return Stream.concat(Stream.of(PROJECT.resolve("README.md")), docs)
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns packages by the simple name of a public type in them. */
    private static Map<String, Set<String>> publicTypes() throws IOException {
        Map<String, Set<String>> packages = new TreeMap<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path sources : modules.filter(
                            module -> module.getFileName().toString().startsWith("edl-"))
                    .filter(module -> !module.endsWith("edl-examples"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    for (Path file : files.filter(file -> file.toString().endsWith(".java"))
                            .toList()) {
                        String name =
                                sources.relativize(file.getParent()).toString().replaceAll("[/\\\\]", ".");
                        String type = file.getFileName().toString().replace(".java", "");
                        if (!name.contains(".internal")
                                && Files.readString(file).matches("(?s).*\\npublic .*")) {
                            packages.computeIfAbsent(type, key -> new TreeSet<>())
                                    .add(name);
                        }
                    }
                }
            }
        }
        return packages;
    }
}
