package dev.edl.operators.crd.internal;

import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a resource's spec that determine the environment variables that its operator sets. A value of a
 * wrong type counts as missing.
 */
record TolerantSpecReader(Map<?, ?> spec) {
    boolean has(String key) {
        return spec.get(key) != null;
    }

    boolean says(String key, Object value) {
        return value.equals(spec.get(key));
    }

    /** Returns whether the spec's elastic policy has a key with a value other than {@code false}. */
    boolean elastic(String key) {
        Object value = map(spec.get("elasticPolicy")).get(key);
        return value != null && !value.equals(false);
    }

    /**
     * Returns whether the resource has a role, even with 0 replicas.
     *
     * @param roles key of the spec under which it has its roles
     */
    boolean hasRole(String roles, RoleType type) {
        return role(roles, type).isPresent();
    }

    /** Returns the total number of replicas of all roles; a role without a number has one replica. */
    long replicas(String roles) {
        return map(spec.get(roles)).values().stream()
                .mapToLong(role -> map(role).get("replicas") instanceof Number number ? number.longValue() : 1)
                .sum();
    }

    /** Returns whether any container of a role has a resource limit whose name contains this word. */
    boolean hasLimit(String roles, RoleType type, String word) {
        return containers(roles, type)
                .flatMap(container -> map(map(container.get("resources")).get("limits")).keySet().stream())
                .anyMatch(name -> String.valueOf(name).contains(word));
    }

    /** Returns the names of the environment variables of a role's first container. */
    Set<String> variables(String roles, RoleType type) {
        return containers(roles, type)
                .limit(1)
                .flatMap(container -> list(container.get("env")))
                .map(entry -> String.valueOf(map(entry).get("name")))
                .collect(Collectors.toSet());
    }

    private Stream<Map<?, ?>> containers(String roles, RoleType type) {
        Map<?, ?> template = map(role(roles, type).orElse(Map.of()).get("template"));
        return list(map(template.get("spec")).get("containers")).map(TolerantSpecReader::map);
    }

    /** Returns a role of the resource; the case of its key is ignored. Empty when the resource lacks it. */
    private Optional<Map<?, ?>> role(String roles, RoleType type) {
        return map(spec.get(roles)).entrySet().stream()
                .filter(role -> type.id().equalsIgnoreCase(String.valueOf(role.getKey())))
                .<Map<?, ?>>map(role -> map(role.getValue()))
                .findFirst();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Stream<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list.stream() : Stream.empty();
    }
}
