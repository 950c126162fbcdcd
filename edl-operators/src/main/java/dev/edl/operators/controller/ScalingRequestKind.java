package dev.edl.operators.controller;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.et.ScaleRequests;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.time.InstantSource;
import java.util.List;

/** Kinds of et-operator's scaling requests, ScaleIn and ScaleOut, which the driver of the TrainingJob carries out. */
enum ScalingRequestKind implements ManagedKind {
    SCALE_IN("ScaleIn"),
    SCALE_OUT("ScaleOut");

    private final String word;

    ScalingRequestKind(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    @Override
    public CustomResourceDefinition definition() {
        return ScaleRequests.definitions().stream()
                .filter(one -> one.getSpec().getNames().getKind().equals(word))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the rule to update the request, because its driver makes the TrainingJob its owner. */
    @Override
    public List<PolicyRule> rules() {
        return List.of(ControllerPermissions.of(this, "update"));
    }

    @Override
    public ObjectDriver open(CustomObject object, ObjectDriverContext context) {
        return new ScalerDriver(context, InstantSource.system());
    }
}
