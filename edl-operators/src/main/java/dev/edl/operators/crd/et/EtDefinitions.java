package dev.edl.operators.crd.et;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.edl.operators.crd.internal.CrdBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;

/**
 * CustomResourceDefinitions of TrainingJob, ScaleIn and ScaleOut as et-operator installs them, with its defaults and
 * its bounds of single numbers.
 */
final class EtDefinitions {
    private EtDefinitions() {}

    static CustomResourceDefinition trainingJob() {
        JSONSchemaProps launcher = CrdBuilder.object()
                .addToProperties(
                        "replicas", whole().withMinimum(1.0).withMaximum(1.0).build())
                .build();
        JSONSchemaProps worker = CrdBuilder.object()
                .addToProperties("replicas", whole().withMinimum(1.0).build())
                .addToProperties("minReplicas", whole().withMinimum(1.0).build())
                .addToProperties("maxReplicas", whole().withMinimum(1.0).build())
                .build();
        JSONSchemaProps spec = CrdBuilder.object()
                .withRequired("etReplicaSpecs")
                .addToProperties(
                        "etReplicaSpecs",
                        CrdBuilder.object()
                                .withRequired("launcher", "worker")
                                .addToProperties("launcher", launcher)
                                .addToProperties("worker", worker)
                                .build())
                .addToProperties("cleanPodPolicy", text().build())
                .addToProperties("launcherAttachMode", text().build())
                .addToProperties("slotsPerWorker", whole().build())
                .addToProperties(
                        "restartPolicy",
                        text().withDefault(TextNode.valueOf("Never")).build())
                .addToProperties(
                        "backoffLimit",
                        whole().withMinimum(0.0).withDefault(IntNode.valueOf(6)).build())
                .build();
        return CrdBuilder.of(TrainingJobs.API_VERSION, TrainingJobs.KIND)
                .statusApart()
                .schema(root(spec))
                .column("Phase", ".status.phase")
                .age()
                .build();
    }

    static CustomResourceDefinition scaleIn() {
        return scaler(
                ScaleRequests.IN,
                "toDelete",
                CrdBuilder.object()
                        .addToProperties("count", whole().build())
                        .addToProperties(
                                "podNames",
                                new JSONSchemaPropsBuilder()
                                        .withType("array")
                                        .withNewItems()
                                        .withSchema(text().build())
                                        .endItems()
                                        .build())
                        .build());
    }

    static CustomResourceDefinition scaleOut() {
        return scaler(
                ScaleRequests.OUT,
                "toAdd",
                CrdBuilder.object().addToProperties("count", whole().build()).build());
    }

    private static CustomResourceDefinition scaler(String kind, String what, JSONSchemaProps change) {
        JSONSchemaProps spec = CrdBuilder.object()
                .addToProperties(
                        "selector",
                        CrdBuilder.object()
                                .addToProperties("name", text().build())
                                .build())
                .addToProperties(what, change)
                .addToProperties("script", text().build())
                .addToProperties(
                        "timeout", whole().withDefault(IntNode.valueOf(60)).build())
                .addToProperties("backoffLimit", whole().build())
                .build();
        return CrdBuilder.of(TrainingJobs.API_VERSION, kind)
                .statusApart()
                .schema(root(spec))
                .column("Phase", ".status.conditions[-1:].type")
                .age()
                .build();
    }

    private static JSONSchemaProps root(JSONSchemaProps spec) {
        return CrdBuilder.object()
                .addToProperties("spec", spec)
                .addToProperties("status", CrdBuilder.object().build())
                .build();
    }

    private static JSONSchemaPropsBuilder whole() {
        return new JSONSchemaPropsBuilder().withType("integer").withFormat("int32");
    }

    private static JSONSchemaPropsBuilder text() {
        return new JSONSchemaPropsBuilder().withType("string");
    }
}
