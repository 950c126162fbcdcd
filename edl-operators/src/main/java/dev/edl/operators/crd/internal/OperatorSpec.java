package dev.edl.operators.crd.internal;

import dev.edl.RoleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The spec of a resource as its operator looks at it before it sets variables; what is of another type counts as missing. */
record OperatorSpec(Map<?, ?> spec) {
    boolean has(String key) {
        return spec.get(key) != null;
    }

    boolean says(String key, Object value) {
        return value.equals(spec.get(key));
    }

    /** Whether the elastic policy has a key; {@code false} is the same as none. */
    boolean elastic(String key) {
        Object value = map(spec.get("elasticPolicy")).get(key);
        return value != null && !value.equals(false);
    }

    /** Whether a role is named, however many replicas it has. */
    boolean hasRole(String roles, RoleType type) {
        return role(roles, type).isPresent();
    }

    /** The replicas of all roles; a role that does not say how many has one. */
    long replicas(String roles) {
        return map(spec.get(roles)).values().stream()
                .mapToLong(role -> map(role).get("replicas") instanceof Number number ? number.longValue() : 1)
                .sum();
    }

    /** Whether a container of a role has a limit whose name contains a word. */
    boolean hasLimit(String roles, RoleType type, String word) {
        return containers(roles, type)
                .flatMap(container -> map(map(container.get("resources")).get("limits")).keySet().stream())
                .anyMatch(name -> String.valueOf(name).contains(word));
    }

    /** The names of the variables of the first container of a role. */
    Set<String> variables(String roles, RoleType type) {
        return containers(roles, type)
                .limit(1)
                .flatMap(container -> list(container.get("env")))
                .map(entry -> String.valueOf(map(entry).get("name")))
                .collect(Collectors.toSet());
    }

    private Stream<Map<?, ?>> containers(String roles, RoleType type) {
        Map<?, ?> template = map(role(roles, type).orElse(Map.of()).get("template"));
        return list(map(template.get("spec")).get("containers")).map(OperatorSpec::map);
    }

    /** The case of a role's key does not matter. */
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
