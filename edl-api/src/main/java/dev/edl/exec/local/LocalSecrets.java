package dev.edl.exec.local;

import dev.edl.spec.SecretRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a job's references to Secrets on this machine. The value of a replica's variable comes from a file or,
 * without one, from this JVM's variable of the same name.
 */
final class LocalSecrets {
    private final @Nullable Path directory;
    private final Map<String, String> environment;

    /**
     * Creates a resolver.
     *
     * @param directory the directory with files {@code <secret>/<key>}; null for none
     * @param environment the variables of this JVM
     */
    LocalSecrets(@Nullable Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = environment;
    }

    /** Adds a problem for each reference of a role that cannot be resolved; no problem contains a secret value. */
    void check(String role, Map<String, SecretRef> references, List<String> problems) {
        references.forEach((name, ref) -> {
            try {
                Optional<String> value = value(name, ref);
                if (value.filter(text -> text.indexOf('\0') >= 0).isPresent()) {
                    problems.add(role + ".secretEnv." + name + ": " + file(ref)
                            + " holds a NUL character, which no variable can have");
                } else if (value.isEmpty()) {
                    problems.add(
                            role + ".secretEnv." + name + " refers to key " + ref.key() + " of Secret " + ref.secret()
                                    + ", and this machine has no Secrets; set the variable " + name
                                    + " of this JVM, or write the"
                                    + " value to a file DIR/" + ref
                                    + " and build the executor with .secretsIn(Path.of(\"DIR\"))"
                                    + (directory == null ? "" : "; DIR is " + directory + " now"));
                }
            } catch (IOException e) {
                problems.add(role + ".secretEnv." + name + ": " + file(ref) + " cannot be read as UTF-8 text: "
                        + (e instanceof CharacterCodingException ? "it holds other bytes" : e));
            }
        });
    }

    /**
     * Returns the value of each variable that refers to a Secret, by the variable's name.
     *
     * @throws IllegalStateException when a reference can no longer be resolved, or its value has a NUL character
     * @throws UncheckedIOException when a file cannot be read
     */
    Map<String, String> values(Map<String, SecretRef> references) {
        Map<String, String> values = new TreeMap<>();
        references.forEach((name, ref) -> {
            try {
                String value = value(name, ref)
                        .orElseThrow(() -> new IllegalStateException("secretEnv." + name + ": " + ref
                                + " existed when the job was submitted, but no longer exists"));
                if (value.indexOf('\0') >= 0) {
                    // The JDK's own message would contain the value.
                    throw new IllegalStateException("secretEnv." + name + ": " + file(ref)
                            + " holds a NUL character, which no variable can have");
                }
                values.put(name, value);
            } catch (IOException e) {
                throw new UncheckedIOException("secretEnv." + name + ": " + file(ref) + " cannot be read", e);
            }
        });
        return values;
    }

    private Optional<String> value(String name, SecretRef ref) throws IOException {
        Optional<Path> file = Optional.ofNullable(file(ref)).filter(Files::isRegularFile);
        return file.isPresent()
                ? Optional.of(Files.readString(file.get()))
                : Optional.ofNullable(environment.get(name));
    }

    private @Nullable Path file(SecretRef ref) {
        return directory == null ? null : directory.resolve(ref.secret()).resolve(ref.key());
    }
}
