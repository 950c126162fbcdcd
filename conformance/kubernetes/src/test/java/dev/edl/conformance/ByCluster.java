package dev.edl.conformance;

import java.util.Comparator;
import java.util.Optional;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/** Orders checks by the cluster that they need, so that few are started. */
public final class ByCluster implements ClassOrderer {
    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(Comparator.comparing(ByCluster::need));
    }

    private static String need(ClassDescriptor check) {
        Optional<OnCluster> need = check.findAnnotation(OnCluster.class);
        return need.map(one -> one.value() + " " + one.alone()).orElse("") + " " + check.getDisplayName();
    }
}
