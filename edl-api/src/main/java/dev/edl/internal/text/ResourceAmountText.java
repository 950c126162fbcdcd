package dev.edl.internal.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Parses amounts of resources in ElasticDL's grammar: {@code cpu=2,memory=2048Mi}. */
public final class ResourceAmountText {
    private static final List<String> NATIVE = List.of("cpu", "memory", "ephemeral-storage");
    private static final List<String> KNOWN = List.of("cpu", "memory", "disk", "ephemeral-storage", "gpu");

    private ResourceAmountText() {}

    /**
     * Parses the grammar; passes each mistake to {@code problems}, and returns the valid amounts by Kubernetes' names.
     */
    public static Map<String, String> parse(String text, Consumer<String> problems) {
        List<Map.Entry<String, String>> entries = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 0 || equals != part.lastIndexOf('=')) {
                problems.accept("\"" + part.strip() + "\" must have the form name=amount; for example"
                        + " cpu=2,memory=2048Mi");
                continue;
            }
            entries.add(Map.entry(
                    part.substring(0, equals).strip(),
                    part.substring(equals + 1).strip()));
        }
        return read(entries, problems);
    }

    /**
     * Checks pairs of name and amount; passes each mistake to {@code problems}, and returns the valid amounts by
     * Kubernetes' names.
     */
    public static Map<String, String> read(List<Map.Entry<String, String>> entries, Consumer<String> problems) {
        Map<String, String> amounts = new HashMap<>();
        Map<String, String> first = new HashMap<>();
        for (Map.Entry<String, String> entry : entries) {
            String said = entry.getKey();
            String name = said.equals("disk") ? "ephemeral-storage" : said.equals("gpu") ? "nvidia.com/gpu" : said;
            if (!NATIVE.contains(name) && !isExtended(name)) {
                problems.accept(unknown(said));
                continue;
            }
            String before = first.putIfAbsent(name, entry.getValue());
            if (before != null) {
                problems.accept(name + " is given twice, as \"" + before + "\" and \"" + entry.getValue()
                        + "\"; give each resource once");
                continue;
            }
            try {
                amounts.put(
                        name,
                        ResourceQuantity.parse(said, name, entry.getValue()).text());
            } catch (IllegalArgumentException e) {
                problems.accept(String.valueOf(e.getMessage()));
            }
        }
        return amounts;
    }

    /**
     * Returns whether a name is that of an extended resource, {@code domain/name}. False for a name with
     * {@code kubernetes.io/}, which Kubernetes reserves, and for one with the prefix of quotas, {@code requests.}.
     */
    public static boolean isExtended(String name) {
        return name.contains("/")
                && KubernetesSyntax.isQualifiedName(name)
                && !name.contains("kubernetes.io/")
                && !name.startsWith("requests.");
    }

    private static String unknown(String name) {
        return "\"" + name + "\" is not a resource; "
                + SpellingSuggestion.to(name, KNOWN)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse("known are " + String.join(", ", KNOWN)
                                + " and extended resources such as nvidia.com/gpu");
    }
}
