package dev.edl.reconcile.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SlotMapTest {
    private static final int SEEDS = 200;
    private static final int EDITS = 40;

    /** A map and its expected entries. */
    private record Version(SlotMap<String> table, Map<String, String> model) {
        static Version first() {
            return new Version(SlotMap.empty(), new LinkedHashMap<>());
        }

        /** Adds, changes, removes and adds again some names. */
        Version next(Random random) {
            SlotMap.Editor<String> editor = table.edit();
            Map<String, String> changed = new LinkedHashMap<>(model);
            for (int i = random.nextInt(1 << random.nextInt(6)); i > 0; i--) {
                String name = "worker-" + random.nextInt(random.nextBoolean() ? 20 : 200);
                if (random.nextInt(3) == 0) {
                    editor.remove(name);
                    changed.remove(name);
                } else {
                    // Equal values may be different objects, and the same object may have two names.
                    String value = random.nextBoolean() ? "same" : new String("v" + random.nextInt(3));
                    editor.put(name, value);
                    changed.put(name, value);
                }
            }
            return new Version(editor.table(), changed);
        }
    }

    @Test
    void each_version_equals_a_linked_map_and_stays_unchanged() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<Version> versions = new ArrayList<>(List.of(Version.first()));
            for (int edit = 0; edit < EDITS; edit++) {
                // Most are derived from the last version, some from any version.
                int from = random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1;
                versions.add(versions.get(from).next(random));
            }
            for (Version version : versions) {
                String at = "seed " + seed;
                assertThat(new ArrayList<>(version.table().entrySet()))
                        .as(at)
                        .isEqualTo(new ArrayList<>(version.model().entrySet()));
                assertThat(version.table()).as(at).isEqualTo(version.model()).hasSameHashCodeAs(version.model());
                for (int name = 0; name < 200; name++) {
                    assertThat(version.table().get("worker-" + name))
                            .as(at)
                            .isEqualTo(version.model().get("worker-" + name));
                }
            }
        }
    }

    @Test
    void differing_returns_all_different_names_and_equals_agrees() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Version one = Version.first();
            for (int edit = 0; edit < EDITS; edit++) {
                Version base = random.nextInt(10) == 0 ? Version.first() : one;
                Version two = base.next(random).next(random);
                TreeSet<String> differ = new TreeSet<>(one.model().keySet());
                differ.addAll(two.model().keySet());
                Map<String, String> a = one.model();
                Map<String, String> b = two.model();
                differ.removeIf(name -> Objects.equals(a.get(name), b.get(name)));

                assertThat(one.table().differing(two.table()))
                        .as("seed " + seed)
                        .containsAll(differ);
                assertThat(two.table().differing(one.table()))
                        .as("seed " + seed)
                        .containsAll(differ);
                assertThat(one.table().equals(two.table())).as("seed " + seed).isEqualTo(a.equals(b));
                one = two;
            }
        }
    }

    @Test
    void differing_returns_only_the_changed_names() {
        SlotMap.Editor<Integer> editor = SlotMap.<Integer>empty().edit();
        for (int i = 0; i < 10_000; i++) {
            editor.put("worker-" + i, i);
        }
        SlotMap<Integer> many = editor.table();
        assertThat(many.differing(many)).isEmpty();

        editor.put("worker-4711", -1);
        assertThat(editor.table().differing(many)).containsOnly("worker-4711");
        assertThat(many.get("worker-4711")).isEqualTo(4711);

        editor.remove("worker-0");
        editor.put("worker-10000", 10_000);
        assertThat(editor.table().differing(many)).containsOnly("worker-0", "worker-4711", "worker-10000");
    }

    @Test
    void an_edit_that_changes_nothing_is_the_same_table() {
        SlotMap.Editor<String> editor = SlotMap.<String>empty().edit();
        editor.put("a", "x");
        SlotMap<String> table = editor.table();

        SlotMap.Editor<String> again = table.edit();
        again.put("a", "x");
        again.remove("b");
        assertThat(again.table()).isSameAs(table);
    }
}
