package dev.edl.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LoggedWarnings;
import dev.edl.runtime.inprocess.SteppedModel;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.journal.FileJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A master is killed and its journal damaged while servers and a worker live. */
class DamagedJournalTest {
    private static final String MOVED =
            "; moved the file to FILE.damaged-1, and the master recovers its tasks from the" + " parameter servers";

    @TempDir
    Path folder;

    private enum Damage {
        MIDDLE_ZEROED("FILE: the entry at offset \\d+ is damaged: expected CRC-32C \\w{8} of the (length|payload),"
                + " found \\w{8}; entries follow it, so this is no unfinished write" + MOVED) {
            @Override
            byte[] of(byte[] whole) {
                Arrays.fill(whole, whole.length / 2, whole.length / 2 + 16, (byte) 0);
                return whole;
            }
        },
        HEADER_UNREADABLE("FILE: no journal of tasks: expected the bytes 45444c5441534b31 at offset 0, found"
                + " ba444c5441534b31" + MOVED) {
            @Override
            byte[] of(byte[] whole) {
                whole[0] = (byte) ~whole[0];
                return whole;
            }
        },
        CUT_IN_THE_DESCRIPTION("FILE: expected the description of the training at offset 8, found a damaged or"
                + " unfinished one" + MOVED) {
            @Override
            byte[] of(byte[] whole) {
                return Arrays.copyOf(whole, 40);
            }
        },
        EMPTY("FILE: no journal of tasks: expected the bytes 45444c5441534b31 at offset 0, found an empty file"
                + MOVED) {
            @Override
            byte[] of(byte[] whole) {
                return new byte[0];
            }
        },
        CUT_IN_AN_EVENT("") {
            @Override
            byte[] of(byte[] whole) {
                return Arrays.copyOf(whole, whole.length - 5);
            }
        },
        CUT_IN_HALF("") {
            @Override
            byte[] of(byte[] whole) {
                return Arrays.copyOf(whole, whole.length / 2);
            }
        },
        /** Each entry is valid, but the ledger cannot have written this one. */
        FOREIGN_EVENT("FILE: event \\d+ does not fit the history before it: .*" + MOVED);

        private final String warning;

        Damage(String warning) {
            this.warning = warning;
        }

        byte[] of(byte[] whole) {
            return whole;
        }
    }

    private static void damage(Damage damage, Path journal, Replicas replicas) {
        try {
            Files.write(journal, damage.of(Files.readAllBytes(journal)));
            if (damage == Damage.FOREIGN_EVENT) {
                try (FileJournal file =
                        FileJournal.open(journal, replicas.services.store().ledgerSpec())) {
                    file.accept(new LedgerEvent.EpochStarted(5));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_run_with_a_damaged_journal_ends_with_the_proof(Damage damage) throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        Training training = Fixture.training(model).checkpointDirectory(folder).build();
        Path journal = folder.resolve("tasks.journal");
        try (Replicas replicas = new Replicas(training);
                LoggedWarnings log = new LoggedWarnings("dev.edl.runtime.engine.files.JournalRecovery")) {
            AtomicReference<Replicas.Replica> master = new AtomicReference<>(replicas.start("master", 0));
            model.before(step -> {
                if (step == 60) {
                    Objects.requireNonNull(master.get()).stop();
                    damage(damage, journal, replicas);
                    master.set(replicas.start("master", 0));
                }
            });
            replicas.start("ps", 0);
            replicas.start("ps", 1);

            assertThat(replicas.start("worker", 0).end()).isNull();
            assertThat(Objects.requireNonNull(master.get()).end()).isNull();
            TrainingResult result = replicas.services.history().result().orElseThrow();
            assertThat(result.exactlyOnce()).as(result.proof()).isTrue();
            if (damage.warning.isEmpty()) {
                assertThat(log.lines()).isEmpty();
                assertThat(folder.resolve("tasks.journal.damaged-1")).doesNotExist();
            } else {
                assertThat(log.lines())
                        .hasSize(1)
                        .allSatisfy(line -> assertThat(line.replace(journal.toString(), "FILE"))
                                .matches(damage.warning));
                assertThat(folder.resolve("tasks.journal.damaged-1")).isRegularFile();
            }
        }
    }
}
