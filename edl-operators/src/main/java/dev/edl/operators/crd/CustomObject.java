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
 * Custom resource as plain data. Its keys keep the order in which they were given.
 *
 * <p>A value: objects with the same content are equal, regardless of the order of their keys. Immutable and thread-safe.
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
     * Creates an object from plain data.
     *
     * @param fields maps with string keys, lists, strings, numbers, booleans and null; copied
     * @throws IllegalArgumentException for other data, a number beyond {@code double}, or when nested more than 40 deep
     */
    public static CustomObject of(Map<String, ?> fields) {
        return new CustomObject(PlainData.copy(fields));
    }

    /**
     * Creates an object from plain data that was parsed from a text.
     *
     * @param fields maps with string keys, lists, strings, numbers, booleans and null; copied
     * @param source the same data with each scalar as written in the text, for messages
     * @throws IllegalArgumentException for other data, a number beyond {@code double}, or when nested more than 40 deep
     */
    public static CustomObject of(Map<String, ?> fields, Map<String, ?> source) {
        return new CustomObject(PlainData.copy(fields), PlainData.copy(source));
    }

    /** Creates an object from a resource of the Kubernetes client, of any kind. */
    public static CustomObject of(HasMetadata resource) {
        return new CustomObject(PlainData.copy(Serialization.unmarshal(Serialization.asJson(resource), Map.class)));
    }

    /**
     * Reads one YAML or JSON document, or a list with one item, as {@link #allFromYaml} does. Resolves YAML aliases;
     * rejects a duplicate key, a tag or a second object.
     *
     * @throws InvalidResourceException when the text does not hold exactly one valid object
     */
    public static CustomObject fromYaml(String yaml) {
        return YamlDocumentReader.read(Objects.requireNonNull(yaml, "yaml"));
    }

    /**
     * Reads each object of a YAML or JSON text, as {@code kubectl apply -f} does. Skips empty documents. JSON objects
     * may follow each other without a separator.
     *
     * <p>In place of a list, such as {@code List} or {@code TFJobList}, returns its items. An item without apiVersion
     * and kind has those of its list.
     *
     * <pre>{@code
     * List<JobReadResult> jobs = CustomObject.allFromYaml(yaml).stream()
     *     .filter(object -> object.kind().equals("TFJob"))
     *     .map(KubeflowTfJobs::read)
     *     .toList();
     * }</pre>
     *
     * @throws InvalidResourceException when the text is not valid YAML of maps
     */
    public static List<CustomObject> allFromYaml(String yaml) {
        return YamlDocumentReader.all(Objects.requireNonNull(yaml, "yaml"));
    }

    /** Returns the field {@code apiVersion}, such as {@code kubeflow.org/v1}; an empty string when absent. */
    public String apiVersion() {
        return text(fields, "apiVersion");
    }

    /** Returns the kind, such as {@code TFJob}; an empty string when absent. */
    public String kind() {
        return text(fields, "kind");
    }

    /** Returns the name in the metadata; an empty string when absent. */
    public String name() {
        return text(metadata(), "name");
    }

    /** Returns the namespace in the metadata; an empty string when absent. */
    public String namespace() {
        return text(metadata(), "namespace");
    }

    private Map<?, ?> metadata() {
        return fields.get("metadata") instanceof Map<?, ?> metadata ? metadata : Map.of();
    }

    private static String text(Map<?, ?> map, String key) {
        return map.get(key) instanceof String text ? text : "";
    }

    /**
     * Returns all fields as an immutable map. Whole numbers are {@code Long}, as in Kubernetes; {@code 4.0} is a whole
     * number too.
     */
    public Map<String, Object> fields() {
        return fields;
    }

    /**
     * Returns all fields with each scalar as written in the text that the object was read from, such as {@code "0644"}
     * for 420. For an object that was not read from a text, returns {@link #fields()}.
     */
    public Map<String, Object> source() {
        return source;
    }

    /** Returns a new untyped object for the Kubernetes client. */
    public GenericKubernetesResource toKubernetes() {
        return Serialization.unmarshal(PlainData.json(fields), GenericKubernetesResource.class);
    }

    /** Returns the object as YAML. Equal calls return equal text. */
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

    /** Returns for example {@code TfJob default/example-job}. */
    @Override
    public String toString() {
        return kind() + " " + (namespace().isEmpty() ? "" : namespace() + "/") + name();
    }
}
