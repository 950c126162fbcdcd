package dev.edl.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the packages of all modules: their sizes, which are internal, and that no cycle goes through them. */
@AnalyzeClasses(packages = "dev.edl", importOptions = ImportOption.DoNotIncludeTests.class)
class RoomsTest {
    /** Limit of files in one package, package-info included. */
    private static final int MOST = 30;

    /** Internal packages of edl-api that all modules may use. */
    private static final String SHARED = "dev.edl.internal.text";

    /** Modules by the common prefix of their packages; every other package belongs to edl-api. */
    private static final Map<String, String> MODULES = Map.ofEntries(
            Map.entry("dev.edl.cli", "edl-cli"),
            Map.entry("dev.edl.image", "edl-image"),
            Map.entry("dev.edl.k8s", "edl-k8s"),
            Map.entry("dev.edl.mlflow", "edl-mlflow"),
            Map.entry("dev.edl.notebook", "edl-notebook"),
            Map.entry("dev.edl.operators", "edl-operators"),
            Map.entry("dev.edl.parquet", "edl-parquet"),
            Map.entry("dev.edl.prometheus", "edl-prometheus"),
            Map.entry("dev.edl.runtime", "edl-runtime-nd4j"),
            Map.entry("dev.edl.testkit", "edl-testkit"),
            Map.entry("dev.edl.examples", "edl-examples"),
            Map.entry("dev.edl.bench", "bench"));

    private static final Path PROJECT = Path.of(Files.exists(Path.of("edl-api")) ? "." : "..");

    /** Each package is a slice of its own, the roots too. */
    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().matching("dev.(**)").should().beFreeOfCycles();

    @ArchTest
    static void internal_packages_stay_in_their_module(JavaClasses classes) {
        assertThat(classes.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(uses -> isInternal(uses.getTargetClass())
                                && !module(uses.getOriginClass().getPackageName())
                                        .equals(module(uses.getTargetClass().getPackageName())))
                        .map(uses -> uses.getOriginClass().getName() + " uses "
                                + uses.getTargetClass().getName())
                        .distinct())
                .isEmpty();
    }

    @ArchTest
    static void no_public_signature_has_an_internal_type(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(type -> isSeen(type) && !type.getPackageName().contains(".internal"))
                        .flatMap(type -> type.getMembers().stream())
                        .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                                || member.getModifiers().contains(JavaModifier.PROTECTED))
                        .filter(member -> signature(member)
                                .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                                .anyMatch(RoomsTest::isInternal))
                        .map(JavaMember::getFullName))
                .isEmpty();
    }

    @ArchTest
    static void no_public_type_is_a_kind_of_an_internal_one(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(type -> isSeen(type) && !type.getPackageName().contains(".internal"))
                        .filter(type -> Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                                .flatMap(above -> above.getAllInvolvedRawTypes().stream())
                                .anyMatch(RoomsTest::isInternal))
                        .map(JavaClass::getName))
                .isEmpty();
    }

    @ArchTest
    static void every_module_is_looked_at(JavaClasses classes) {
        assertThat(classes.stream().map(type -> module(type.getPackageName())))
                .contains(
                        "edl-api",
                        "edl-cli",
                        "edl-examples",
                        "edl-image",
                        "edl-k8s",
                        "edl-mlflow",
                        "edl-notebook",
                        "edl-operators",
                        "edl-parquet",
                        "edl-prometheus",
                        "edl-runtime-nd4j",
                        "edl-testkit",
                        "bench");
    }

    @ArchTest
    static void a_package_is_small_and_says_where_to_start(JavaClasses classes) throws IOException {
        List<String> mistakes = new ArrayList<>();
        for (Path directory : packages("main")) {
            Path info = directory.resolve("package-info.java");
            if (!Files.exists(info) || !Files.readString(info).matches("(?s).*\\bStarts?\\s(\\*\\s)?at\\b.*")) {
                mistakes.add(info + " must say where to start: \"Start at {@link …}\"");
            }
        }
        for (Path directory : Stream.concat(packages("main").stream(), packages("test").stream())
                .toList()) {
            long files = javaFiles(directory);
            if (files > MOST) {
                mistakes.add(directory + " has " + files + " files, must have at most " + MOST);
            }
        }
        assertThat(mistakes).isEmpty();
    }

    @ArchTest
    static void the_picture_shows_every_public_package_in_its_module(JavaClasses classes) throws IOException {
        Map<String, Set<String>> drawn = new TreeMap<>();
        String page = Files.readString(PROJECT.resolve("docs/architecture.md"));
        String picture = page.replaceAll("(?s).*<!-- rooms -->\\s*```\\n(.*?)```.*", "$1");
        String module = "";
        for (String line : picture.split("\n")) {
            Matcher head =
                    Pattern.compile(".*?\\b(edl-[\\w-]+|bench)\\s{2,}(\\S.*)").matcher(line);
            if (head.matches()) {
                module = head.group(1);
            }
            Set<String> rooms = drawn.computeIfAbsent(module, key -> new TreeSet<>());
            Matcher word = Pattern.compile("[a-z0-9][a-z0-9.]*")
                    .matcher(head.matches() ? head.group(2) : line.replaceAll("[^\\sa-z0-9.]", " "));
            while (word.find()) {
                rooms.add(word.group());
            }
        }

        Map<String, Set<String>> there = new TreeMap<>();
        for (Path directory : packages("main")) {
            String path = PROJECT.relativize(directory).toString().replace('\\', '/');
            String owner = path.substring(0, path.indexOf('/'));
            String name = path.replaceAll(".*/src/main/java/", "").replace('/', '.');
            if (!name.contains(".internal")) {
                there.computeIfAbsent(owner, key -> new TreeSet<>()).add(brief(owner, name));
            }
        }
        assertThat(drawn).isEqualTo(there);
    }

    /** Returns a package without its module's common prefix; the first one in full. */
    private static String brief(String module, String name) {
        String root = MODULES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(module))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("dev.edl");
        return name.equals(root) ? name : name.substring(root.length() + 1);
    }

    private static List<Path> packages(String kind) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path sources : Stream.concat(modules, Stream.of(PROJECT.resolve("conformance/kubernetes")))
                    .map(module -> module.resolve("src/" + kind + "/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList()) {
                try (Stream<Path> all = Files.walk(sources)) {
                    for (Path directory :
                            all.filter(Files::isDirectory).sorted().toList()) {
                        if (javaFiles(directory) > 0) {
                            found.add(directory);
                        }
                    }
                }
            }
        }
        assertThat(found).as("packages of %s", kind).hasSizeGreaterThan(20);
        return found;
    }

    private static long javaFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).count();
        }
    }

    private static boolean isInternal(JavaClass type) {
        return type.getPackageName().matches("dev\\.edl\\..*\\binternal\\b.*")
                && !type.getPackageName().equals(SHARED);
    }

    /** Whether a type is public, and so are its enclosing types. */
    private static boolean isSeen(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(RoomsTest::isSeen).orElse(true);
    }

    private static Stream<JavaType> signature(JavaMember member) {
        return member instanceof JavaCodeUnit code
                ? Stream.of(
                                Stream.of(code.getReturnType()),
                                code.getParameterTypes().stream(),
                                code.getExceptionTypes().stream())
                        .flatMap(types -> types)
                : Stream.of(((JavaField) member).getType());
    }

    private static String module(String name) {
        return MODULES.entrySet().stream()
                .filter(entry -> name.equals(entry.getKey()) || name.startsWith(entry.getKey() + "."))
                .max(Comparator.comparingInt(entry -> entry.getKey().length()))
                .map(Map.Entry::getValue)
                .orElse("edl-api");
    }
}
