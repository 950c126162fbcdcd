package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.group.TestShards;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointCrashTest {
    private static final ParameterLayout LAYOUT = Tables.LAYOUT;

    @TempDir
    Path directory;

    private static ShardCut cut(int version) throws InterruptedException {
        TestShards group = Tables.group(2, Optimizer.adam(0.1f));
        for (int i = 0; i < version; i++) {
            Tables.push(group, "a", i, Tables.batch(i, 7, 100, 3000 + i), 1);
        }
        return group.cut();
    }

    @Test
    void crash_at_any_step_leaves_a_complete_checkpoint() throws Exception {
        Crash counting = new Crash(Integer.MAX_VALUE, false, true);
        Path dry = directory.resolve("dry");
        new CheckpointStore(dry, 1).save(cut(1), LAYOUT, Map.of());
        new CheckpointStore(dry, 1, counting).save(cut(2), LAYOUT, Map.of());
        // Directory, hidden directory, two shards, manifest, sync, rename, sync; rename, four deletes.
        assertThat(counting.steps).hasSize(13);
        int renamed = counting.steps.indexOf("move");

        crashes(counting.steps, true, renamed);
    }

    @Test
    void without_atomic_rename_the_manifest_commits_the_checkpoint() throws Exception {
        Crash counting = new Crash(Integer.MAX_VALUE, false, false);
        Path dry = directory.resolve("dry");
        new CheckpointStore(dry, 1).save(cut(1), LAYOUT, Map.of());
        new CheckpointStore(dry, 1, counting).save(cut(2), LAYOUT, Map.of());
        // The rename that fails; directory, two shards, manifest, sync; hidden directory, sync; rename that fails, four
        // deletes.
        assertThat(counting.steps)
                .containsExactly(
                        "createDirectory",
                        "createDirectory",
                        "write",
                        "write",
                        "write",
                        "sync",
                        "move",
                        "createDirectory",
                        "moveFile",
                        "moveFile",
                        "moveFile",
                        "sync",
                        "delete",
                        "sync",
                        "move",
                        "delete",
                        "delete",
                        "delete",
                        "delete");
        crashes(counting.steps, false, counting.steps.lastIndexOf("moveFile"));
    }

    private void crashes(List<String> steps, boolean atomic, int committed) throws Exception {
        for (int step = 0; step < steps.size(); step++) {
            for (boolean after : new boolean[] {false, true}) {
                Path store = directory.resolve(step + (after ? "-after" : "-before"));
                new CheckpointStore(store, 1).save(cut(1), LAYOUT, Map.of());
                CheckpointStore crashing = new CheckpointStore(store, 1, new Crash(step, after, atomic));
                String what = steps.get(step) + ", step " + step + (after ? " torn or done" : " not begun");

                if (!atomic && after && steps.get(step).equals("move")) {
                    // A refused rename has no effect, so a crash after it equals one before the next step.
                    continue;
                }
                assertThatThrownBy(() -> crashing.save(cut(2), LAYOUT, Map.of()))
                        .as(what)
                        .hasMessage("power cut");

                List<String> skipped = new ArrayList<>();
                long expected = step > committed || (step == committed && after) ? 2 : 1;
                Checkpoint newest =
                        new CheckpointStore(store, 1).latest(skipped::add).orElseThrow();
                assertThat(newest.version()).as(what).isEqualTo(expected);
                assertThat(newest.cut().tables().get(1).ids())
                        .as(what)
                        .isEqualTo(cut((int) expected).tables().get(1).ids());
                // An incomplete checkpoint has no manifest, and the message names it.
                assertThat(skipped)
                        .as(what)
                        .allMatch(
                                text -> !atomic && text.equals("checkpoint version-2 is damaged: manifest is missing"));
                new CheckpointStore(store, 1).save(cut(3), LAYOUT, Map.of());
                assertThat(store).as(what).isDirectoryNotContaining(path -> !path.endsWith("version-3"));
            }
        }
    }

    /** Stops at one step: before it, or after it with a partly written file. */
    private static final class Crash implements CheckpointFiles {
        final List<String> steps = new ArrayList<>();
        final int at;
        final boolean after;
        final boolean atomic;

        Crash(int at, boolean after, boolean atomic) {
            this.at = at;
            this.after = after;
            this.atomic = atomic;
        }

        /** One step at a time, although shards are written in parallel, so that the steps have fixed numbers. */
        private synchronized void step(String name, Step step) throws IOException {
            // A power cut ends the writes of all threads.
            if (steps.size() > at) {
                throw new IOException("power cut");
            }
            steps.add(name);
            boolean here = steps.size() - 1 == at;
            if (here && !after) {
                throw new IOException("power cut");
            }
            step.run();
            if (here) {
                throw new IOException("power cut");
            }
        }

        @Override
        public void createDirectory(Path path) throws IOException {
            step("createDirectory", () -> REAL.createDirectory(path));
        }

        @Override
        public ChecksummedOutput.Seal write(Path file, Content content) throws IOException {
            List<ChecksummedOutput.Seal> seals = new ArrayList<>();
            step("write", () -> {
                seals.add(REAL.write(file, content));
                if (steps.size() - 1 == at) {
                    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                        channel.truncate(seals.get(0).bytes() / 2);
                    }
                }
            });
            return seals.get(0);
        }

        @Override
        public void sync(Path path) throws IOException {
            step("sync", () -> REAL.sync(path));
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            step("move", () -> {
                if (!atomic) {
                    throw new AtomicMoveNotSupportedException(from.toString(), to.toString(), "an object store");
                }
                REAL.move(from, to);
            });
        }

        @Override
        public void moveFile(Path from, Path to) throws IOException {
            step("moveFile", () -> REAL.moveFile(from, to));
        }

        @Override
        public void delete(Path path) throws IOException {
            step("delete", () -> REAL.delete(path));
        }

        @FunctionalInterface
        private interface Step {
            void run() throws IOException;
        }
    }
}
