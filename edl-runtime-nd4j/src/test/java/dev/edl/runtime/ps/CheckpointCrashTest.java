package dev.edl.runtime.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.ParameterLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
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
        ShardGroup group = Tables.group(2, Optimizer.adam(0.1f));
        for (int i = 0; i < version; i++) {
            Tables.push(group, "a", i, Tables.batch(i, 7, 100, 3000 + i), 1);
        }
        return group.cut();
    }

    @Test
    void a_crash_at_any_step_leaves_a_whole_checkpoint_and_the_next_save_works() throws Exception {
        Crash counting = new Crash(Integer.MAX_VALUE, false);
        Path dry = directory.resolve("dry");
        new CheckpointStore(dry, 1).save(cut(1), LAYOUT, Map.of());
        new CheckpointStore(dry, 1, counting).save(cut(2), LAYOUT, Map.of());
        // Directory, hidden directory, two shards, manifest, sync, rename, sync; rename, four deletes.
        assertThat(counting.steps).hasSize(13);
        int renamed = counting.steps.indexOf("move");

        for (int step = 0; step < counting.steps.size(); step++) {
            for (boolean after : new boolean[] {false, true}) {
                Path store = directory.resolve(step + (after ? "-after" : "-before"));
                new CheckpointStore(store, 1).save(cut(1), LAYOUT, Map.of());
                CheckpointStore crashing = new CheckpointStore(store, 1, new Crash(step, after));
                String what = counting.steps.get(step) + ", step " + step + (after ? " torn or done" : " not begun");

                assertThatThrownBy(() -> crashing.save(cut(2), LAYOUT, Map.of()))
                        .as(what)
                        .hasMessage("power cut");

                List<String> skipped = new ArrayList<>();
                long expected = step > renamed || (step == renamed && after) ? 2 : 1;
                Checkpoint newest =
                        new CheckpointStore(store, 1).latest(skipped::add).orElseThrow();
                assertThat(newest.version()).as(what).isEqualTo(expected);
                assertThat(newest.cut().tables().get(1).ids())
                        .as(what)
                        .isEqualTo(cut((int) expected).tables().get(1).ids());
                assertThat(skipped).as(what).isEmpty();
                new CheckpointStore(store, 1).save(cut(3), LAYOUT, Map.of());
                assertThat(store).as(what).isDirectoryNotContaining(path -> !path.endsWith("version-3"));
            }
        }
    }

    /** Stops at one step: before it, or after it with a file that is half written. */
    private static final class Crash implements CheckpointFiles {
        final List<String> steps = new ArrayList<>();
        final int at;
        final boolean after;

        Crash(int at, boolean after) {
            this.at = at;
            this.after = after;
        }

        private void step(String name, Step step) throws IOException {
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
        public CheckedOutput.Seal write(Path file, Content content) throws IOException {
            List<CheckedOutput.Seal> seals = new ArrayList<>();
            boolean torn = steps.size() == at;
            step("write", () -> {
                seals.add(REAL.write(file, content));
                if (torn) {
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
            step("move", () -> REAL.move(from, to));
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
