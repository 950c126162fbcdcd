package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;

/**
 * Kind of custom resource that a {@link Controller} manages: its CRD, its RBAC rules and the factory of its drivers.
 * Thread-safe; the state of each object is in its driver.
 */
public interface ManagedKind {
    /** Returns the kind's CustomResourceDefinition, as installed in a cluster. */
    CustomResourceDefinition definition();

    /** Returns the RBAC rules that the drivers of this kind need beyond those that every kind needs. */
    default List<PolicyRule> rules() {
        return List.of();
    }

    /** Creates the driver of one object, without sending a request to the cluster. */
    ObjectDriver open(CustomObject object, ObjectDriverContext context);
}
