package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;

/**
 * A kind of custom object that a {@link Controller} looks after. Thread-safe; has no state of single objects, which a driver
 * has.
 */
public interface ObjectKind {
    /** The kind as a cluster has it installed. */
    CustomResourceDefinition definition();

    /**
     * What its drivers ask the API server for, beside what every kind needs: to see the objects and write their status, and what jobs
     * consist of ({@link ControllerRules}).
     */
    default List<PolicyRule> rules() {
        return List.of();
    }

    /** Begins to look after one object; asks the cluster for nothing. */
    ObjectDriver open(CustomObject object, ObjectContext context);
}
