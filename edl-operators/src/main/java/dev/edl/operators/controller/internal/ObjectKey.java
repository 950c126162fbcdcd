package dev.edl.operators.controller.internal;

import dev.edl.operators.crd.CustomObject;

/**
 * Identity of a custom object: kind, namespace and name.
 *
 * @param kind kind with its API group, such as {@code MxJob.mlkube.io}, because two groups may have a kind of the same
 *     name
 */
public record ObjectKey(String kind, String namespace, String name) {
    public static ObjectKey of(CustomObject object) {
        return new ObjectKey(kind(object.apiVersion(), object.kind()), object.namespace(), object.name());
    }

    /**
     * Returns a kind with its API group, such as {@code MxJob.mlkube.io}.
     *
     * @param api API group, with or without a version
     */
    public static String kind(String api, String kind) {
        return kind + "." + api.replaceFirst("/.*", "");
    }

    /** Returns another kind with this key's API group, such as {@code ScaleIn.kai.alibabacloud.com}. */
    public String beside(String other) {
        return other + kind.substring(kind.indexOf('.'));
    }

    /** Returns for example {@code TfJob.tensorflow.org default/example-job}. */
    @Override
    public String toString() {
        return kind + " " + namespace + "/" + name;
    }
}
