package dev.edl.k8s.controller;

import dev.edl.k8s.crd.CustomObject;

/** Names an object of a cluster. */
record ObjectKey(String kind, String namespace, String name) {
    static ObjectKey of(CustomObject object) {
        return new ObjectKey(object.kind(), object.namespace(), object.name());
    }

    /** For example {@code TfJob default/example-job}. */
    @Override
    public String toString() {
        return kind + " " + namespace + "/" + name;
    }
}
