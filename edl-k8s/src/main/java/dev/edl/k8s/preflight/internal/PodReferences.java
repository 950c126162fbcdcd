package dev.edl.k8s.preflight.internal;

import io.fabric8.kubernetes.api.model.ConfigMapProjection;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecretProjection;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the Secrets and ConfigMaps without which a pod's containers do not start. Optional references do not count. */
public final class PodReferences {
    /**
     * Object that a pod refers to.
     *
     * @param kind {@code Secret} or {@code ConfigMap}
     * @param keys keys that the object must have
     * @param field field of the pod that refers to the object
     */
    public record Reference(String kind, String name, Set<String> keys, String field) {}

    private final Set<Reference> found = new LinkedHashSet<>();

    private PodReferences() {}

    public static Collection<Reference> of(PodSpec pod) {
        PodReferences references = new PodReferences();
        Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                .forEach(references::container);
        pod.getVolumes().forEach(references::volume);
        return references.found;
    }

    private void container(Container container) {
        container.getEnv().forEach(variable -> {
            EnvVarSource from = variable.getValueFrom();
            if (from != null && from.getSecretKeyRef() != null) {
                var key = from.getSecretKeyRef();
                add("Secret", key.getName(), Set.of(key.getKey()), "env." + variable.getName(), key.getOptional());
            }
            if (from != null && from.getConfigMapKeyRef() != null) {
                var key = from.getConfigMapKeyRef();
                add("ConfigMap", key.getName(), Set.of(key.getKey()), "env." + variable.getName(), key.getOptional());
            }
        });
        container.getEnvFrom().forEach(from -> {
            if (from.getSecretRef() != null) {
                add(
                        "Secret",
                        from.getSecretRef().getName(),
                        Set.of(),
                        "envFrom",
                        from.getSecretRef().getOptional());
            }
            if (from.getConfigMapRef() != null) {
                add(
                        "ConfigMap",
                        from.getConfigMapRef().getName(),
                        Set.of(),
                        "envFrom",
                        from.getConfigMapRef().getOptional());
            }
        });
    }

    private void volume(Volume volume) {
        String field = "volume." + volume.getName();
        if (volume.getSecret() != null) {
            var secret = volume.getSecret();
            add("Secret", secret.getSecretName(), keys(secret.getItems()), field, secret.getOptional());
        }
        if (volume.getConfigMap() != null) {
            var map = volume.getConfigMap();
            add("ConfigMap", map.getName(), keys(map.getItems()), field, map.getOptional());
        }
        if (volume.getProjected() != null) {
            volume.getProjected().getSources().forEach(source -> {
                SecretProjection secret = source.getSecret();
                ConfigMapProjection map = source.getConfigMap();
                if (secret != null) {
                    add("Secret", secret.getName(), keys(secret.getItems()), field, secret.getOptional());
                }
                if (map != null) {
                    add("ConfigMap", map.getName(), keys(map.getItems()), field, map.getOptional());
                }
            });
        }
    }

    private static Set<String> keys(@Nullable List<KeyToPath> items) {
        return items == null
                ? Set.of()
                : items.stream().map(KeyToPath::getKey).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void add(String kind, String name, Set<String> keys, String field, @Nullable Boolean optional) {
        if (!Boolean.TRUE.equals(optional)) {
            found.add(new Reference(kind, name, keys, field));
        }
    }
}
