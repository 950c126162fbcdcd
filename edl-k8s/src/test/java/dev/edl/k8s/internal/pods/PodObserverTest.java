package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.client.PodWatch;
import dev.edl.reconcile.JobObservation;
import dev.edl.status.NodeNotice;
import dev.edl.status.ObservedReplica;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodObserverTest {
    private static final int SEEDS = 300;
    private static final List<String> PHASES = List.of("Pending", "Running", "Succeeded", "Failed");

    /** Pods of an informer, which delivers changes a little later. */
    private static final class Informer implements PodWatch {
        final Map<String, Pod> pods = new LinkedHashMap<>();
        final Set<String> going = new HashSet<>();
        final Deque<Runnable> untold = new ArrayDeque<>();
        final PodObserver observer = new PodObserver(Informer::owned, this::notice);

        static boolean owned(Pod pod) {
            return "mine".equals(pod.getMetadata().getGenerateName());
        }

        Optional<NodeNotice> notice(Pod pod) {
            return Optional.of(pod.getSpec().getNodeName())
                    .filter(going::contains)
                    .map(node -> new NodeNotice(node, "cordoned"));
        }

        void put(Pod pod) {
            pods.put(pod.getMetadata().getName(), pod);
            untold.add(() -> observer.changed(pod));
        }

        void remove(String name) {
            Pod pod = pods.remove(name);
            if (pod != null) {
                untold.add(() -> observer.deleted(pod));
            }
        }

        void tell(int events) {
            for (int i = 0; i < events && !untold.isEmpty(); i++) {
                untold.remove().run();
            }
        }

        JobObservation refresh() {
            return observer.refresh(this);
        }

        @Override
        public List<Pod> list() {
            return List.copyOf(pods.values());
        }

        @Override
        public @Nullable Pod get(String name) {
            return pods.get(name);
        }

        @Override
        public Optional<Instant> staleSince() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    /** Returns the expected observation, built from all existing pods. */
    private static final class Model {
        final Set<String> shown = new HashSet<>();
        final Map<String, Pod> gone = new LinkedHashMap<>();

        void deleted(Pod pod) {
            if (Informer.owned(pod) && !shown.remove(pod.getMetadata().getUid())) {
                gone.put(pod.getMetadata().getName(), pod);
            }
        }

        JobObservation refresh(Informer informer) {
            Map<String, ObservedReplica> seen = new LinkedHashMap<>();
            gone.values().forEach(pod -> PodMapper.of(pod).ifPresent(r -> seen.put(r.name(), r.beingDeleted())));
            gone.clear();
            for (Pod pod : informer.list()) {
                if (Informer.owned(pod)) {
                    shown.add(pod.getMetadata().getUid());
                    PodMapper.of(pod)
                            .ifPresent(r -> seen.put(
                                    r.name(),
                                    informer.notice(pod).map(r::withNotice).orElse(r)));
                }
            }
            return new JobObservation(seen.values());
        }
    }

    private static Pod pod(String name, String uid, String owner, String phase, String node) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("test")
                .withName(name)
                .withUid(uid)
                .withGenerateName(owner)
                .addToAnnotations(PodMapper.ROLE, "worker")
                .addToAnnotations(PodMapper.ID, name.substring(1))
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    private static <T> T any(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Test
    void an_incremental_observation_equals_a_full_one() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Informer informer = new Informer();
            Model model = new Model();
            int uids = 0;
            for (int step = 0; step < 80; step++) {
                for (int change = random.nextInt(4); change > 0; change--) {
                    String name = "w" + random.nextInt(6);
                    Pod there = informer.pods.get("test/" + name);
                    String node = "node-" + random.nextInt(3);
                    switch (random.nextInt(6)) {
                        case 0, 1 -> {
                            // A new pod, also in place of another whose end was not delivered, as after a list.
                            String owner = random.nextInt(5) == 0 ? "theirs" : "mine";
                            informer.put(pod(name, "uid-" + uids++, owner, "Pending", node));
                        }
                        case 2 -> {
                            if (there != null) {
                                informer.put(new PodBuilder(there)
                                        .editStatus()
                                        .withPhase(any(random, PHASES))
                                        .endStatus()
                                        .build());
                            }
                        }
                        case 3 -> {
                            if (there != null) {
                                model.deleted(there);
                                informer.remove(name);
                            }
                        }
                        case 4 -> {
                            if (!informer.going.remove(node)) {
                                informer.going.add(node);
                            }
                            informer.observer.changed();
                        }
                        default -> informer.observer.changed();
                    }
                }
                informer.tell(Integer.MAX_VALUE);
                if (random.nextBoolean()) {
                    assertThat(informer.refresh())
                            .as("seed " + seed + ", step " + step)
                            .isEqualTo(model.refresh(informer));
                }
            }
        }
    }

    @Test
    void late_events_show_each_pod_and_the_final_state() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            Informer informer = new Informer();
            Set<String> made = new HashSet<>();
            Set<String> shown = new HashSet<>();
            for (int step = 0; step < 80; step++) {
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        String name = "w" + made.size();
                        made.add(name);
                        informer.put(pod(name, name, "mine", "Running", "node-0"));
                    }
                    case 2 -> {
                        if (!informer.pods.isEmpty()) {
                            informer.remove(
                                    any(random, informer.list()).getMetadata().getName());
                        }
                    }
                    default -> informer.tell(random.nextInt(5));
                }
                if (random.nextInt(3) == 0) {
                    informer.refresh().replicas().forEach(r -> shown.add(r.name()));
                }
            }
            informer.tell(Integer.MAX_VALUE);
            informer.refresh().replicas().forEach(r -> shown.add(r.name()));

            assertThat(shown).as("seed " + seed).isEqualTo(made);
            List<String> there = new ArrayList<>();
            informer.refresh().replicas().forEach(r -> there.add(r.name()));
            assertThat(there).as("seed " + seed).containsExactlyInAnyOrderElementsOf(informer.pods.keySet());
            assertThat(informer.observer.changing()).as("seed " + seed).isFalse();
        }
    }

    @Test
    void a_pod_deleted_unobserved_is_shown_once() {
        Informer informer = new Informer();
        informer.refresh();
        informer.put(pod("w1", "a", "mine", "Running", "node-0"));
        informer.remove("w1");
        informer.tell(2);

        assertThat(informer.refresh().replicas()).singleElement().matches(ObservedReplica::terminating);
        assertThat(informer.observer.changing()).isTrue();
        assertThat(informer.refresh().size()).isZero();
        assertThat(informer.observer.changing()).isFalse();
    }

    @Test
    void an_unchanged_replica_stays_the_same_object() {
        Informer informer = new Informer();
        informer.put(pod("w1", "a", "mine", "Running", "node-0"));
        informer.put(pod("w2", "b", "mine", "Running", "node-1"));
        informer.tell(2);
        JobObservation first = informer.refresh();
        informer.going.add("node-1");
        informer.observer.changed();
        JobObservation next = informer.refresh();

        assertThat(next.replica("w1").orElseThrow())
                .isSameAs(first.replica("w1").orElseThrow());
        assertThat(next.noticedCount()).isEqualTo(1);
    }

    @Test
    void a_deleted_pod_is_known_until_it_was_shown() {
        Informer informer = new Informer();
        Pod pod = pod("w1", "u1", "mine", "Running", "n1");
        informer.put(pod);
        informer.remove("w1");
        informer.tell(2);
        assertThat(informer.observer.came("w1")).isTrue();

        assertThat(informer.refresh().replica("w1"))
                .hasValueSatisfying(r -> assertThat(r.terminating()).isTrue());
        assertThat(informer.observer.came("w1")).isFalse();
    }
}
