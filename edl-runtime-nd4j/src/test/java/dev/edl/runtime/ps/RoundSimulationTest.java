package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.shard.ParameterShard;
import dev.edl.runtime.ps.shard.RoundMember;
import dev.edl.runtime.ps.shard.RoundWait;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulates workers and shards in one thread: a seeded schedule picks the worker of the next step, and a step touches
 * one shard only. Workers visit the shards in a random order, die between any two steps, and are replaced.
 */
class RoundSimulationTest {
    private static final int PUSHES = 24;

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 1", "0, 2", "0, 3", "1, 1", "2, 2", "3, 4"})
    void no_deadlock_and_every_shard_applies_every_push_once(int staleness, int gradsToWait) {
        for (long seed = 0; seed < 800; seed++) {
            Consistency consistency = Consistency.staleness(staleness);
            new Simulation(seed, gradsToWait == 0 ? consistency : consistency.withGradsToWait(gradsToWait)).run();
        }
    }

    private static final class Simulation {
        final long seed;
        final Random random;
        final Consistency consistency;
        final ParameterShard[] shards;
        final Deque<Long> queue = new ArrayDeque<>();
        final List<Actor> actors = new ArrayList<>();
        final float[] gradient;
        int names;
        int kills;

        Simulation(long seed, Consistency consistency) {
            this.seed = seed;
            this.random = new Random(seed);
            this.consistency = consistency;
            int count = 1 + random.nextInt(3);
            this.gradient = new float[count];
            this.shards = Sharding.split(count, count).stream()
                    .map(range -> new ParameterShard(range, Optimizer.sgd(1f), consistency, 10))
                    .toArray(ParameterShard[]::new);
            for (ParameterShard shard : shards) {
                shard.initialize(gradient);
            }
            LongRange.until(PUSHES).forEach(queue::add);
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                hire();
            }
            kills = random.nextInt(6);
        }

        void hire() {
            actors.add(new Worker(this, "worker-" + names++));
        }

        void run() {
            for (int steps = 0; !actors.isEmpty(); steps++) {
                List<Actor> runnable = actors.stream().filter(Actor::runnable).toList();
                assertThat(runnable)
                        .as("%s after %d steps: who can go on of %s", this, steps, actors)
                        .isNotEmpty();
                assertThat(steps).as("%s: steps", this).isLessThan(200_000);
                Actor actor = runnable.get(random.nextInt(runnable.size()));
                if (actor instanceof Worker worker && kills > 0 && random.nextInt(20) == 0) {
                    kill(worker);
                } else if (!actor.step()) {
                    actors.remove(actor);
                }
            }
            for (ParameterShard shard : shards) {
                assertThat(shard.appliedCount()).as("%s: %s", this, shard).isEqualTo(PUSHES);
            }
        }

        /** A kill may also hit a sleeping worker, so it may pick any. */
        void kill(Worker picked) {
            List<Worker> workers = actors.stream()
                    .filter(Worker.class::isInstance)
                    .map(Worker.class::cast)
                    .toList();
            Worker victim = random.nextBoolean() ? picked : workers.get(random.nextInt(workers.size()));
            kills--;
            actors.remove(victim);
            actors.add(victim.die());
            hire();
        }

        List<Integer> shardsInSomeOrder() {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, shards.length).boxed().toList());
            Collections.shuffle(order, random);
            return order;
        }

        @Override
        public String toString() {
            return "seed " + seed + ", " + consistency;
        }
    }

    private interface Actor {
        boolean runnable();

        /** Runs one step; false when there are no more. */
        boolean step();
    }

    /** The master's removal of a dead worker from the shards. */
    private record Burial(Simulation world, String name, Deque<Integer> left) implements Actor {
        @Override
        public boolean runnable() {
            return true;
        }

        @Override
        public boolean step() {
            if (!left.isEmpty()) {
                world.shards[left.pop()].leave(name);
            }
            return !left.isEmpty();
        }
    }

    private enum Phase {
        JOIN,
        PULL,
        PUSH,
        ENTER,
        RECHECK,
        WAIT,
        LEAVE
    }

    private static final class Worker implements Actor {
        final Simulation world;
        final RoundMember member;
        final Deque<Long> task = new ArrayDeque<>();
        final long[] versions;
        RoundWait wait;
        Deque<Integer> todo = new ArrayDeque<>();
        Phase phase = Phase.LEAVE;
        PushResult.Outcome outcome = PushResult.Outcome.DUPLICATE;

        Worker(Simulation world, String name) {
            this.world = world;
            this.member = new RoundMember(name);
            this.wait = new RoundWait(member);
            this.versions = new long[world.shards.length];
        }

        @Override
        public boolean runnable() {
            return phase != Phase.WAIT || wait.over();
        }

        @Override
        public boolean step() {
            if (todo.isEmpty() && !nextPhase()) {
                return false;
            }
            if (!todo.isEmpty()) {
                visit(todo.pop());
            }
            return true;
        }

        private void visit(int i) {
            ParameterShard shard = world.shards[i];
            switch (phase) {
                case JOIN -> shard.join(member);
                case PULL -> versions[i] = shard.pull(new float[world.gradient.length]);
                case PUSH -> push(i, shard);
                case ENTER -> wait.enter(shard, task.element());
                case RECHECK -> shard.recheck();
                case LEAVE -> shard.leave(member.name());
                case WAIT -> throw new IllegalStateException("a wait visits no shard");
            }
        }

        private void push(int i, ParameterShard shard) {
            long before = shard.version();
            PushResult result = shard.push(member.name(), task.element(), versions[i], world.gradient);
            if (result.outcome() == PushResult.Outcome.APPLIED || result.outcome() == PushResult.Outcome.ACCUMULATED) {
                assertThat(before - versions[i])
                        .as("%s: staleness of what was taken", world)
                        .isBetween(0L, world.consistency.staleness());
            }
            outcome = outcome.and(result.outcome());
        }

        /** Begins the next phase; false when the worker is done. */
        private boolean nextPhase() {
            switch (phase) {
                case LEAVE -> {
                    for (int n = 1 + world.random.nextInt(3); n > 0 && !world.queue.isEmpty(); n--) {
                        task.add(world.queue.pop());
                    }
                    if (task.isEmpty()) {
                        return false;
                    }
                    phase = Phase.JOIN;
                }
                case JOIN -> phase = Phase.PULL;
                case PULL -> {
                    outcome = PushResult.Outcome.DUPLICATE;
                    phase = Phase.PUSH;
                }
                case PUSH -> afterPush();
                case ENTER -> phase = Phase.RECHECK;
                case RECHECK -> {
                    phase = Phase.WAIT;
                    return true;
                }
                case WAIT -> {
                    withdraw();
                    minibatchDone();
                }
            }
            todo = new ArrayDeque<>(world.shardsInSomeOrder());
            return true;
        }

        private void afterPush() {
            if (outcome == PushResult.Outcome.STALE) {
                phase = Phase.PULL;
            } else if (outcome == PushResult.Outcome.ACCUMULATED && world.consistency.isSynchronous()) {
                phase = Phase.ENTER;
            } else {
                minibatchDone();
            }
        }

        private void minibatchDone() {
            task.remove();
            phase = task.isEmpty() ? Phase.LEAVE : Phase.PULL;
        }

        private void withdraw() {
            wait.close();
            wait = new RoundWait(member);
        }

        Burial die() {
            withdraw();
            world.queue.addAll(task);
            return new Burial(world, member.name(), new ArrayDeque<>(world.shardsInSomeOrder()));
        }

        @Override
        public String toString() {
            return member + " " + phase + " " + task;
        }
    }

    private static final class LongRange {
        static List<Long> until(int end) {
            return IntStream.range(0, end).mapToObj(i -> (long) i).toList();
        }
    }
}
