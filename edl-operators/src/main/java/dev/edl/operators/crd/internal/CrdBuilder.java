package dev.edl.operators.crd.internal;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceSubresourcesBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Builder of a CustomResourceDefinition as an operator installs it: namespaced, and with a single version. Not
 * thread-safe.
 *
 * <p>The built definition makes the API server keep unknown fields; EDL's readers report them as mistakes.
 */
public final class CrdBuilder {
    private final String apiVersion;
    private final String kind;
    private final List<CustomResourceColumnDefinition> columns = new ArrayList<>();
    private JSONSchemaProps schema = object().build();
    private boolean statusApart;

    private CrdBuilder(String apiVersion, String kind) {
        this.apiVersion = apiVersion;
        this.kind = kind;
    }

    /** Starts a definition without a status subresource. */
    public static CrdBuilder of(String apiVersion, String kind) {
        return new CrdBuilder(apiVersion, kind);
    }

    /** Returns the schema of an object that keeps unknown fields. */
    public static JSONSchemaPropsBuilder object() {
        return new JSONSchemaPropsBuilder().withType("object").withXKubernetesPreserveUnknownFields(true);
    }

    /** Adds the status subresource, so that only requests to this subresource change the status. */
    public CrdBuilder statusApart() {
        this.statusApart = true;
        return this;
    }

    /** Sets a schema with required fields and defaults. Without this call, the definition has neither. */
    public CrdBuilder schema(JSONSchemaProps root) {
        this.schema = root;
        return this;
    }

    /** Adds a column of {@code kubectl get}. */
    public CrdBuilder column(String name, String path) {
        return column(name, "string", path);
    }

    /** Adds a column of {@code kubectl get} with the age of a resource; called after the other columns. */
    public CrdBuilder age() {
        return column("Age", "date", ".metadata.creationTimestamp");
    }

    private CrdBuilder column(String name, String type, String path) {
        columns.add(new CustomResourceColumnDefinitionBuilder()
                .withName(name)
                .withType(type)
                .withJsonPath(path)
                .build());
        return this;
    }

    /** Returns the definition. */
    public CustomResourceDefinition build() {
        int slash = apiVersion.indexOf('/');
        String group = apiVersion.substring(0, slash);
        String singular = kind.toLowerCase(Locale.ROOT);
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName(singular + "s." + group)
                .endMetadata()
                .withNewSpec()
                .withGroup(group)
                .withScope("Namespaced")
                .withNewNames()
                .withKind(kind)
                .withListKind(kind + "List")
                .withPlural(singular + "s")
                .withSingular(singular)
                .endNames()
                .addNewVersion()
                .withName(apiVersion.substring(slash + 1))
                .withServed(true)
                .withStorage(true)
                .withAdditionalPrinterColumns(columns)
                .withSubresources(
                        statusApart
                                ? new CustomResourceSubresourcesBuilder()
                                        .withNewStatus()
                                        .endStatus()
                                        .build()
                                : null)
                .withNewSchema()
                .withOpenAPIV3Schema(schema)
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }
}
