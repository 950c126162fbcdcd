package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;

/** Plural resource names of kinds in API paths. */
public final class ResourcePlurals {
    private ResourcePlurals() {}

    public static String of(HasMetadata object) {
        return object instanceof GenericKubernetesResource ? of(object.getKind()) : object.getPlural();
    }

    /** Returns the plural of a custom kind; no custom kind that EDL uses is irregular. */
    static String of(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }
}
