package dev.edl.internal.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fields of one volume as texts, which only {@link #volume} checks. Not safe for use by several threads. */
public final class VolumeText {
    private static final List<String> KEYS =
            List.of("mount_path", "claim_name", "host_path", "image", "type", "sub_path", "read_only");
    private static final List<String> SOURCES = List.of("claim_name", "host_path", "image");
    private static final List<String> TYPES =
            List.of("DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice");
    private static final String FORM = "; for example mount_path=/data,claim_name=fileserver-claim";

    private final Map<String, String> fields = new LinkedHashMap<>();

    public VolumeText put(String key, @Nullable String value) {
        if (value != null) {
            fields.put(key, value);
        }
        return this;
    }

    @Nullable
    public String get(String key) {
        return fields.get(key);
    }

    public Map<String, String> fields() {
        return fields;
    }

    /**
     * Parses the grammar of {@link dev.edl.spec.Volume#parse}; passes each mistake to {@code problems} and returns the valid
     * volumes.
     */
    public static List<VolumeText> volumes(String text, Consumer<String> problems) {
        List<VolumeText> volumes = new ArrayList<>();
        String[] parts = text.split(";", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean trailing = i > 0 && i == parts.length - 1;
            if (!parts[i].isBlank()) {
                one(parts[i].strip(), problems).ifPresent(volumes::add);
            } else if (!trailing) {
                problems.accept("volume must not be empty, was \"" + text + "\"" + FORM);
            }
        }
        return volumes;
    }

    private static Optional<VolumeText> one(String text, Consumer<String> problems) {
        VolumeText fields = new VolumeText();
        List<String> mistakes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part.strip() : part.substring(0, equals).strip();
            if (equals < 0) {
                mistakes.add("volume \"" + text + "\": \"" + key + "\" must have the form key=value" + FORM);
            } else if (!KEYS.contains(key)) {
                mistakes.add(
                        "volume \"" + text + "\": unknown key \"" + key + "\"; " + SpellingSuggestion.hint(key, KEYS));
            } else if (fields.fields.put(key, part.substring(equals + 1).strip()) != null) {
                mistakes.add("volume \"" + text + "\": " + key + " is given twice; give each key once");
            }
        }
        mistakes.forEach(problems);
        return mistakes.isEmpty() ? fields.volume(problems) : Optional.empty();
    }

    /**
     * Removes trailing slashes from the mount path, then checks the fields. Returns these fields if they are valid;
     * otherwise empty, after passing each mistake to {@code problems}.
     */
    public Optional<VolumeText> volume(Consumer<String> problems) {
        List<String> mistakes = new ArrayList<>();
        fields.computeIfPresent(
                "mount_path", (key, path) -> path.matches("/.*[^/]/+") ? path.replaceAll("/+$", "") : path);
        require(
                "mount_path",
                VolumeText::isMountPath,
                "be an absolute path below / without \"..\" or \":\"",
                "/data",
                mistakes);
        require(
                "claim_name",
                KubernetesSyntax::isSubdomain,
                "be the name of a PersistentVolumeClaim: lower-case letters, digits, dashes and dots",
                "fileserver-claim",
                mistakes);
        require("host_path", VolumeText::isAbsolute, "be an absolute path without \"..\"", "/mnt/disk1", mistakes);
        require(
                "image",
                KubernetesSyntax::isImage,
                "be the name of an image: perhaps a registry, a repository, and perhaps a tag and a digest",
                "registry.example/acme/mnist@sha256:1f0e...",
                mistakes);
        require("sub_path", VolumeText::isRelative, "be a relative path without \"..\"", "mnist", mistakes);
        require(
                "read_only",
                value -> value.equals("true") || value.equals("false"),
                "be true or false",
                "true",
                mistakes);
        if (get("mount_path") == null) {
            mistakes.add("mount_path is missing" + FORM);
        }
        List<String> sources = SOURCES.stream().filter(fields::containsKey).toList();
        if (sources.size() > 1) {
            mistakes.add(String.join(" and ", sources) + " are " + (sources.size() == 2 ? "both" : "all")
                    + " given; specify only one" + FORM);
        }
        if (sources.isEmpty()) {
            mistakes.add("claim_name, host_path or image is missing" + FORM);
        }
        if (get("image") != null && "false".equals(get("read_only"))) {
            mistakes.add("read_only must be true for an image, was \"false\"; Kubernetes mounts images read-only");
        }
        String type = get("type");
        if (type != null && get("host_path") == null) {
            mistakes.add("type requires host_path; for example mount_path=/cache,host_path=/mnt/disk1,type=Directory");
        } else if (type != null && !TYPES.contains(type)) {
            mistakes.add("type \"" + type + "\" is not a type of Kubernetes; " + SpellingSuggestion.hint(type, TYPES));
        }
        mistakes.forEach(mistake -> problems.accept("volume \"" + this + "\": " + mistake));
        return mistakes.isEmpty() ? Optional.of(this) : Optional.empty();
    }

    private void require(String key, Predicate<String> rule, String words, String example, List<String> mistakes) {
        String value = get(key);
        if (value != null && !rule.test(value)) {
            mistakes.add(key + " must " + words + ", was \"" + value + "\"; for example " + key + "=" + example);
        }
    }

    private static boolean isMountPath(String path) {
        return isAbsolute(path) && path.length() > 1 && !path.contains(":");
    }

    private static boolean isAbsolute(String path) {
        return path.startsWith("/") && staysInside(path);
    }

    private static boolean isRelative(String path) {
        return !path.isBlank() && !path.startsWith("/") && staysInside(path);
    }

    private static boolean staysInside(String path) {
        return path.indexOf('\0') < 0 && !Arrays.asList(path.split("/")).contains("..");
    }

    /** Returns the fields in the grammar, such as {@code mount_path=/data,claim_name=fileserver-claim}. */
    @Override
    public String toString() {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining(","));
    }
}
