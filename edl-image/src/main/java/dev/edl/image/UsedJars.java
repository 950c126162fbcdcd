package dev.edl.image;

import dev.edl.k8s.client.MissingPermission;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Jars of claims that the jobs of a namespace use. */
final class UsedJars {
    private static final Pattern JAR = Pattern.compile(Pattern.quote(UploadPod.FOLDER) + "/([0-9a-f]{64})\\.jar");
    /** Objects of one request. A job's record may have a megabyte. */
    private static final long PAGE = 50;

    private UsedJars() {}

    /** Returns the SHA-256 of each jar that a job's record or a pod names. */
    static Set<String> in(KubernetesClient client, String namespace) {
        Set<String> used = new TreeSet<>();
        pages(options -> {
            ConfigMapList page = client.configMaps().inNamespace(namespace).list(options);
            for (ConfigMap map : page.getItems()) {
                map.getData().values().forEach(text -> collect(text, used));
            }
            return page.getMetadata();
        });
        pages(options -> {
            PodList page = client.pods().inNamespace(namespace).list(options);
            for (Pod pod : page.getItems()) {
                collect(Serialization.asJson(pod.getSpec()), used);
            }
            return page.getMetadata();
        });
        return used;
    }

    private static void pages(Function<ListOptions, ListMeta> list) {
        String next = "";
        do {
            ListOptions options = new ListOptionsBuilder()
                    .withLimit(PAGE)
                    .withContinue(next.isEmpty() ? null : next)
                    .build();
            String found = MissingPermission.callWithGrantCommand(() -> list.apply(options))
                    .getContinue();
            next = found == null ? "" : found;
        } while (!next.isEmpty());
    }

    private static void collect(String text, Set<String> used) {
        for (Matcher jar = JAR.matcher(text); jar.find(); ) {
            used.add(jar.group(1));
        }
    }
}
