package dev.edl.operators.crd;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.YamlStyle;
import dev.edl.internal.text.YamlText;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A custom resource as its plain data, keys in the order in which they were given.
 *
 * <p>A value: objects with the same content are equal, whatever the order of their keys. Immutable; safe for use by
 * several threads.
 */
public final class CustomObject {
    private final Map<String, Object> fields;
    private final Map<String, Object> source;

    private CustomObject(Map<String, Object> fields, Map<String, Object> source) {
        this.fields = fields;
        this.source = source;
    }

    private CustomObject(Map<String, Object> fields) {
        this(fields, fields);
    }

    /**
     * An object of plain data.
     *
     * @param fields maps with texts as keys, lists, texts, numbers, booleans and null; copied
     * @throws IllegalArgumentException for other data, or when nested more than 40 deep
     */
    public static CustomObject of(Map<String, ?> fields) {
        return new CustomObject(PlainData.copy(fields));
    }

    /**
     * An object of plain data that was read from a text.
     *
     * @param fields maps with texts as keys, lists, texts, numbers, booleans and null; copied
     * @param source the same with each scalar as it stands in the text, for messages
     * @throws IllegalArgumentException for other data, or when nested more than 40 deep
     */
    public static CustomObject of(Map<String, ?> fields, Map<String, ?> source) {
        return new CustomObject(PlainData.copy(fields), PlainData.copy(source));
    }

    /** An object as the client of Kubernetes gives it, of any kind. */
    public static CustomObject of(HasMetadata resource) {
        return new CustomObject(PlainData.copy(Serialization.unmarshal(Serialization.asJson(resource), Map.class)));
    }

    /**
     * Reads one YAML or JSON document. Aliases are resolved; a key given twice, a tag or a second document is refused.
     *
     * @throws InvalidResourceException for a text that is none
     */
    public static CustomObject fromYaml(String yaml) {
        return YamlDocumentReader.read(Objects.requireNonNull(yaml, "yaml"));
    }

    /**
     * Reads each document of a YAML text, as {@code kubectl apply -f} does; documents that hold nothing are left out.
     *
     * <pre>{@code
     * List<Reading> jobs = CustomObject.allFromYaml(yaml).stream()
     *     .filter(object -> object.kind().equals("TFJob"))
     *     .map(KubeflowTfJobs::read)
     *     .toList();
     * }</pre>
     *
     * @throws InvalidResourceException for a text that is none
     */
    public static List<CustomObject> allFromYaml(String yaml) {
        return YamlDocumentReader.all(Objects.requireNonNull(yaml, "yaml"));
    }

    /** The group and version, such as {@code kubeflow.org/v1}; empty when it has none. */
    public String apiVersion() {
        return text(fields, "apiVersion");
    }

    /** The kind, such as {@code TFJob}; empty when it has none. */
    public String kind() {
        return text(fields, "kind");
    }

    /** The name; empty when it has none. */
    public String name() {
        return text(metadata(), "name");
    }

    /** The namespace; empty when it has none. */
    public String namespace() {
        return text(metadata(), "namespace");
    }

    private Map<?, ?> metadata() {
        return fields.get("metadata") instanceof Map<?, ?> metadata ? metadata : Map.of();
    }

    private static String text(Map<?, ?> map, String key) {
        return map.get(key) instanceof String text ? text : "";
    }

    /** Returns all fields as an immutable map. Whole numbers are {@code Long}, also {@code 4.0}, as in Kubernetes. */
    public Map<String, Object> fields() {
        return fields;
    }

    /**
     * Returns the same with each scalar as it stands in the text that it was read from, such as {@code "0644"} for 420; what was
     * read from no text is as in {@link #fields()}.
     */
    public Map<String, Object> source() {
        return source;
    }

    /** For the client of Kubernetes, which sends such objects without knowing their kind; a new one each time. */
    public GenericKubernetesResource toKubernetes() {
        return Serialization.unmarshal(PlainData.json(fields), GenericKubernetesResource.class);
    }

    /** As YAML; the same bytes each time. */
    public String toYaml() {
        return YamlText.print(DataNode.Mapping.of(fields), YamlStyle.RESOURCE);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CustomObject that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    /** For example {@code TfJob default/example-job}. */
    @Override
    public String toString() {
        return kind() + " " + (namespace().isEmpty() ? "" : namespace() + "/") + name();
    }
}
