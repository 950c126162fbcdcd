package dev.edl.k8s.internal.pods;

import dev.edl.internal.text.SpellingSuggestion;
import dev.edl.status.ObservedReplica;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds replicas by their short names. */
public final class ReplicaNameLookup {
    private ReplicaNameLookup() {}

    /**
     * Returns the full name of an existing replica, given {@code worker-0}, {@code master} or the full name.
     *
     * @param replicas the existing replicas
     * @throws IllegalArgumentException when no replica has the name; the message suggests the most similar one
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
                                    ? "; it has no replicas now"
                                    : "; a valid one is \"" + there.firstKey() + "\""));
        }
        return full;
    }
}
