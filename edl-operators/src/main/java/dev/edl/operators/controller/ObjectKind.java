package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;

/**
 * Kind of custom object that a {@link Controller} drives. Thread-safe; the state of single objects is in their drivers.
 */
public interface ObjectKind {
    /** Returns the definition that a cluster has installed. */
    CustomResourceDefinition definition();

    /** Returns the RBAC rules of its drivers' requests. {@link ControllerPermissions} has the rules that every kind needs. */
    default List<PolicyRule> rules() {
        return List.of();
    }

    /** Opens the driver of one object, without a request to the cluster. */
    ObjectDriver open(CustomObject object, ObjectContext context);
}
