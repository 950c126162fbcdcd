package dev.edl.operators.controller.internal;

import dev.edl.operators.crd.CustomObject;

/**
 * Identity of a custom object: kind, namespace and name.
 *
 * @param kind with its group, {@code MxJob.mlkube.io}: two groups may have a kind of the same name
 */
public record ObjectKey(String kind, String namespace, String name) {
    public static ObjectKey of(CustomObject object) {
        return new ObjectKey(kind(object.apiVersion(), object.kind()), object.namespace(), object.name());
    }

    /**
     * Returns a kind with its group.
     *
     * @param api the group, with or without a version
     */
    public static String kind(String api, String kind) {
        return kind + "." + api.replaceFirst("/.*", "");
    }

    /** Returns another kind of the same group. */
    public String beside(String other) {
        return other + kind.substring(kind.indexOf('.'));
    }

    /** Returns for example {@code TfJob.tensorflow.org default/example-job}. */
    @Override
    public String toString() {
        return kind + " " + namespace + "/" + name;
    }
}
