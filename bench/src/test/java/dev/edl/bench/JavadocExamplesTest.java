package dev.edl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Compiles the examples in the Javadoc of the published modules. Undeclared variables in lower case belong to the reader's program; calls
 * on them are not checked. All other names must exist, and calls must fit.
 */
class JavadocExamplesTest {
    private static final Path PROJECT = Path.of(Files.exists(Path.of("edl-api")) ? "." : "..");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\n[ *]*\\}</pre>", Pattern.DOTALL);
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package (.*);$");
    private static final Pattern IMPORT = Pattern.compile("(?m)^ *import (.*);$");

    /** Names of the reader's program: its variables, methods and classes. */
    private static final Pattern OF_THE_READER = Pattern.compile(
            "(?s).*symbol: +(variable [a-z]|method (port|watch)\\(|(class|variable) (Mnist|Hello|House|MyPlace|Options)\\b).*");

    private static final String ON_DEMAND = Stream.of(
                    "java.io.*",
                    "java.nio.file.*",
                    "java.time.*",
                    "java.util.*",
                    "java.util.function.*",
                    "java.util.stream.*",
                    "org.assertj.core.api.*",
                    "org.junit.jupiter.api.*",
                    "io.fabric8.kubernetes.api.model.Service",
                    "org.nd4j.linalg.api.buffer.DataType",
                    "org.nd4j.weightinit.impl.XavierInitScheme",
                    "static dev.edl.runtime.ps.PushResult.Outcome.*",
                    "static dev.edl.spec.Priority.*",
                    "static org.assertj.core.api.Assertions.*")
            .map(name -> "import " + name + "; ")
            .collect(Collectors.joining());

    @Test
    void the_examples_compile() throws IOException {
        List<Form> forms = new ArrayList<>();
        Map<String, List<String>> types = sources().stream()
                .map(file -> file.toString()
                        .replaceAll(".*src.main.java.|\\.java$", "")
                        .replaceAll("[/\\\\]", "."))
                .collect(Collectors.groupingBy(type -> type.replaceAll(".*\\.", "")));
        for (Path file : sources()) {
            String text = Files.readString(file);
            Matcher example = EXAMPLE.matcher(text);
            while (example.find()) {
                String code = example.group(1)
                        .replaceAll("(?m)^ *\\* ?", "")
                        .replaceAll("(?m)^ *\\.\\.\\.", "")
                        .replace("{ ... }", "{}");
                forms.addAll(forms(file + ":" + example.start(), imports(types, text, code), code));
            }
        }
        Map<String, List<String>> errors = errors(forms);

        // The form that an example has is the one with the fewest errors.
        Map<String, List<String>> best = new TreeMap<>();
        for (Form form : forms) {
            best.merge(
                    form.example,
                    errors.getOrDefault(form.getName(), List.of()),
                    (one, another) -> one.size() <= another.size() ? one : another);
        }
        assertThat(best).hasSizeGreaterThan(150);
        best.values().removeIf(List::isEmpty);
        assertThat(best).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(PROJECT)) {
            return all.filter(file -> file.toString().matches(".*edl-(?!examples)[a-z0-9-]+.src.main.java.*\\.java"))
                    .filter(file -> !file.toString().contains("internal"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the imports of a file and its example, of the file's package, and of EDL's other types that the example names. */
    private static String imports(Map<String, List<String>> types, String source, String example) {
        Matcher inPackage = PACKAGE.matcher(source);
        assertThat(inPackage.find()).isTrue();
        Set<String> words = Set.copyOf(Arrays.asList(example.split("\\W+")));
        Set<String> imports = Stream.of(source, example)
                .flatMap(text -> IMPORT.matcher(text).results())
                .map(found -> found.group(1))
                .filter(name -> name.endsWith("*") || words.contains(name.replaceAll(".*\\.", "")))
                .filter(name -> !name.startsWith(inPackage.group(1) + "."))
                .collect(Collectors.toCollection(TreeSet::new));
        imports.add(inPackage.group(1) + ".*");
        for (String word : words) {
            List<String> named = types.getOrDefault(word, List.of());
            if (named.size() == 1 && imports.stream().noneMatch(name -> name.endsWith("." + word))) {
                imports.add(named.get(0));
            }
        }
        return imports.stream().map(name -> "import " + name + "; ").collect(Collectors.joining());
    }

    /** Returns the example as calls of a builder if it begins with a dot, otherwise as statements and as members of a class. */
    private static List<Form> forms(String example, String imports, String code) {
        String head = imports + ON_DEMAND + "class Example { ";
        String body = IMPORT.matcher(code).replaceAll("").strip() + "\n";
        String method = head + "void example() throws Throwable { ";
        Stream<String> forms = body.startsWith(".")
                ? Stream.of(
                        method + "dev.edl.Job.builder()" + body + ";}}",
                        method + "dev.edl.runtime.Training.builder()" + body + ";}}")
                : Stream.of(method + body + ";}}", head + body + "}");
        return forms.map(text -> new Form(example, text)).toList();
    }

    /** Returns the errors of each form by its name. */
    private static Map<String, List<String>> errors(List<Form> forms) {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-Xmaxerrs",
                "100000",
                "--should-stop=ifError=ATTR",
                "--should-stop=ifNoError=ATTR");
        ToolProvider.getSystemJavaCompiler()
                .getTask(new StringWriter(), null, found, options, null, forms)
                .call();
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .filter(one ->
                        !OF_THE_READER.matcher(one.getMessage(Locale.ENGLISH)).matches())
                .collect(Collectors.groupingBy(
                        one -> one.getSource().getName(),
                        Collectors.mapping(
                                one -> one.getMessage(Locale.ENGLISH).replaceAll("\\s+", " "), Collectors.toList())));
    }

    /** A compilation unit with an example; its package has no other unit. */
    private static final class Form extends SimpleJavaFileObject {
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final String example;
        private final String text;

        private Form(String example, String text) {
            super(URI.create("string:///form" + COUNT.incrementAndGet() + "/Example.java"), Kind.SOURCE);
            this.example = example;
            this.text = "package form" + COUNT.get() + "; " + text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
