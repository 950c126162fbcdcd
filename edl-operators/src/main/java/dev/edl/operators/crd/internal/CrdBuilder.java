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
 * Builder of a CustomResourceDefinition as an operator installs it: namespaced, of one version. Not thread-safe.
 *
 * <p>The API server keeps unknown fields; the readers report mistakes in them.
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

    /** Adds the status subresource, so that only its own requests change the status. */
    public CrdBuilder statusApart() {
        this.statusApart = true;
        return this;
    }

    /** Sets required fields and defaults; without it there are none. */
    public CrdBuilder schema(JSONSchemaProps root) {
        this.schema = root;
        return this;
    }

    /** Adds a column of {@code kubectl get}. */
    public CrdBuilder column(String name, String path) {
        return column(name, "string", path);
    }

    /** Adds the last column, the age of a resource. */
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
