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
 * A kind of custom resource as an operator installs it: namespaced, of one version. Not thread-safe.
 *
 * <p>The API server keeps whatever fields a resource has; what is wrong in them, a reader says.
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

    /** A kind whose status is a part of the resource like any other. */
    public static CrdBuilder of(String apiVersion, String kind) {
        return new CrdBuilder(apiVersion, kind);
    }

    /** An object that keeps the fields that are not named. */
    public static JSONSchemaPropsBuilder object() {
        return new JSONSchemaPropsBuilder().withType("object").withXKubernetesPreserveUnknownFields(true);
    }

    /** The status is written by requests of its own, which alone can change it. */
    public CrdBuilder statusApart() {
        this.statusApart = true;
        return this;
    }

    /** What is required of a resource, and its defaults; without it, nothing. */
    public CrdBuilder schema(JSONSchemaProps root) {
        this.schema = root;
        return this;
    }

    /** A column of {@code kubectl get}. */
    public CrdBuilder column(String name, String path) {
        return column(name, "string", path);
    }

    /** The last column: how old a resource is. */
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

    /** The object of Kubernetes. */
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
