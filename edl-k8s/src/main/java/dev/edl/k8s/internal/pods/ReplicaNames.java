package dev.edl.k8s.internal.pods;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.status.ObservedReplica;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds replicas by the names that people use. */
public final class ReplicaNames {
    private ReplicaNames() {}

    /**
     * The full name of a replica that is there, given {@code worker-0}, {@code master} or the full name.
     *
     * @param replicas those that are there
     * @throws IllegalArgumentException for another one, with the nearest
     */
    public static String full(String job, Collection<ObservedReplica> replicas, String word) {
        SortedMap<String, String> there = new TreeMap<>();
        replicas.forEach(r -> there.put(r.role().replica(r.id()), r.name()));
        if (there.containsValue(word)) {
            return word;
        }
        String full = there.get(word);
        if (full == null) {
            throw new IllegalArgumentException("job \"" + job + "\" has no replica \"" + word + "\""
                    + SpellingSuggestion.to(word, there.keySet())
                            .map(near -> "; the nearest is \"" + near + "\"")
                            .orElseGet(() -> there.isEmpty()
                                    ? "; none is there now"
                                    : "; a valid one is \"" + there.firstKey() + "\""));
        }
        return full;
    }
}
