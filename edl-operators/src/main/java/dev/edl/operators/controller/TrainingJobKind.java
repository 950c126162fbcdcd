package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.TrainingJobs;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;

/**
 * et-operator's TrainingJob. The same controller must also drive {@link ScalingRequestKind}, whose objects scale TrainingJobs.
 *
 * @param initImage image of the launcher's first container, which copies the hosts; the image needs a shell and cp
 */
record TrainingJobKind(String initImage) implements ManagedKind {
    static final String KIND = "TrainingJob";

    @Override
    public CustomResourceDefinition definition() {
        return TrainingJobs.definition();
    }

    /**
     * Returns the RBAC rules for ssh keys and the launcher's hosts. Also has the rules of the launcher's own account,
     * because RBAC lets an account grant only permissions that it has.
     */
    @Override
    public List<PolicyRule> rules() {
        return List.of(
                // The digest of its job is an annotation.
                ControllerPermissions.of(this, "update"),
                ControllerPermissions.rule("", "secrets", "create"),
                ControllerPermissions.rule("", "pods/exec", "get", "create"),
                ControllerPermissions.rule("", "services", "get", "delete"),
                ControllerPermissions.rule("", "serviceaccounts", "create"),
                ControllerPermissions.rule("rbac.authorization.k8s.io", "roles", "create"),
                ControllerPermissions.rule("rbac.authorization.k8s.io", "rolebindings", "create"));
    }

    @Override
    public ObjectDriver open(CustomObject object, ObjectDriverContext context) {
        return new TrainingJobDriver(this, context);
    }
}
