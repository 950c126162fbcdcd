package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;

/** How the API calls a kind in its paths. */
public final class ResourcePlurals {
    private ResourcePlurals() {}

    public static String of(HasMetadata object) {
        return object instanceof GenericKubernetesResource ? of(object.getKind()) : object.getPlural();
    }

    /** Of a custom kind, none of which that EDL knows is irregular. */
    static String of(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }
}
