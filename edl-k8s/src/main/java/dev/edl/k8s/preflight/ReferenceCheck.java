package dev.edl.k8s.preflight;

import dev.edl.k8s.preflight.internal.LookupResult;
import dev.edl.k8s.preflight.internal.PodReferences;
import dev.edl.k8s.preflight.internal.PodReferences.Reference;
import dev.edl.k8s.preflight.internal.PodSet;
import dev.edl.k8s.render.internal.TokenSecret;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that Secrets and ConfigMaps that pods refer to exist, with the required keys. */
final class ReferenceCheck {
    private final CheckContext context;
    private final Map<String, ReferencedObject> wanted = new TreeMap<>();

    /** Object that the job's pods refer to, its required keys, and the paths of the fields that refer to it. */
    private record ReferencedObject(String kind, String name, Set<String> keys, Set<String> where) {}

    private ReferenceCheck(CheckContext context) {
        this.context = context;
    }

    static void check(CheckContext context) {
        ReferenceCheck check = new ReferenceCheck(context);
        for (PodSet podSet : context.groups()) {
            PodReferences.of(podSet.pod().getSpec()).forEach(reference -> check.want(podSet, reference));
        }
        check.wanted.values().forEach(check::check);
    }

    private void want(PodSet podSet, Reference reference) {
        boolean secret = reference.kind().equals("Secret");
        boolean own = context.makes(secret ? Secret.class : ConfigMap.class, reference.name())
                || (secret && reference.name().equals(TokenSecret.name(context.plan())));
        if (!own) {
            ReferencedObject all = wanted.computeIfAbsent(
                    reference.kind() + "/" + reference.name(),
                    key -> new ReferencedObject(reference.kind(), reference.name(), new TreeSet<>(), new TreeSet<>()));
            all.keys().addAll(reference.keys());
            all.where().add(podSet.path(reference.field()));
        }
    }

    private void check(ReferencedObject object) {
        boolean secret = object.kind().equals("Secret");
        ProblemTopic topic = secret ? ProblemTopic.SECRET : ProblemTopic.CONFIG_MAP;
        String where = String.join(", ", object.where());
        String what = object.kind() + " \"" + object.name() + "\"";
        LookupResult<Set<String>> keys = context.lookUp(
                topic,
                where,
                what,
                secret ? "get secrets" : "get configmaps",
                () -> secret ? secretKeys(object.name()) : mapKeys(object.name()));
        if (keys.absent()) {
            error(topic, where, what + " is missing", create(object, secret));
        }
        keys.ifPresent(there -> {
            Set<String> missing = new TreeSet<>(object.keys());
            missing.removeAll(there);
            if (!missing.isEmpty()) {
                error(
                        topic,
                        where,
                        what + " has no key " + String.join(", ", missing) + "; it has "
                                + (there.isEmpty() ? "none" : String.join(", ", there)),
                        patch(object, missing, secret));
            }
        });
    }

    private void error(ProblemTopic topic, String where, String what, ProblemFix fix) {
        context.findings().error(topic, where, what, "containers that refer to it do not start until it exists", fix);
    }

    private ProblemFix create(ReferencedObject object, boolean secret) {
        String values = object.keys().stream()
                .map(key -> " --from-literal=" + key + "=VALUE")
                .collect(Collectors.joining());
        return ProblemFix.of(
                "create it with the right values, or remove the reference",
                "kubectl create " + (secret ? "secret generic " : "configmap ") + object.name() + " --namespace "
                        + context.namespace() + values);
    }

    private ProblemFix patch(ReferencedObject object, Set<String> missing, boolean secret) {
        String values = missing.stream().map(key -> "\"" + key + "\":\"VALUE\"").collect(Collectors.joining(","));
        return ProblemFix.of(
                "add it with the right value, or use another key",
                "kubectl patch " + (secret ? "secret " : "configmap ") + object.name() + " --namespace "
                        + context.namespace() + " --type merge --patch '{\"" + (secret ? "stringData" : "data") + "\":{"
                        + values
                        + "}}'");
    }

    private @Nullable Set<String> secretKeys(String name) {
        Secret secret = context.client()
                .secrets()
                .inNamespace(context.namespace())
                .withName(name)
                .get();
        return secret == null ? null : keys(secret.getData());
    }

    private @Nullable Set<String> mapKeys(String name) {
        ConfigMap map = context.client()
                .configMaps()
                .inNamespace(context.namespace())
                .withName(name)
                .get();
        if (map == null) {
            return null;
        }
        Set<String> keys = keys(map.getData());
        keys.addAll(keys(map.getBinaryData()));
        return keys;
    }

    private static Set<String> keys(@Nullable Map<String, String> data) {
        return data == null ? new TreeSet<>() : new TreeSet<>(data.keySet());
    }
}
