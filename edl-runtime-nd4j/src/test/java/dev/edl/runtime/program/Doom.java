package dev.edl.runtime.program;

import dev.edl.runtime.inprocess.Fixture;
import dev.edl.runtime.inprocess.LogisticModel;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills a process of a training by signal 9 at a defined moment of its own, so that a test hits that moment exactly.
 * Each argument kills one process of the job, once: {@code worker-1/inside/7} is its seventh gradient.
 */
final class Doom {
    /** Variable with the directory that all processes of one job share; it also marks them. */
    static final String FOLDER = "PLANE_FOLDER";

    /** Opens the gate at which each worker waits before its first task. */
    static final String GO = "go";

    /** Holds each gradient while the file exists. */
    static final String HOLD = "hold";

    private static final long LOOK_NANOS = 2_000_000;
    private static final long STEP_NANOS = 1_000_000;

    private final Path folder;
    private final String replica;
    private final List<String> words;

    private Doom(Path folder, String replica, List<String> words) {
        this.folder = folder;
        this.replica = replica;
        this.words = words;
    }

    static Doom of(Map<String, String> environment, List<String> words) {
        String role = environment.getOrDefault("EDL_ROLE", "");
        String number = environment.getOrDefault(role.equals("worker") ? "WORKER_ID" : "EDL_INDEX", "0");
        String replica = role.equals("master") ? role : role + "-" + number;
        return new Doom(Path.of(environment.get(FOLDER)), replica, words);
    }

    /** Returns the file that marks a kill as done. */
    static Path done(Path folder, String word) {
        return folder.resolve("done-" + word.replace('/', '-'));
    }

    /** Kills this process if an argument requires it. */
    void reached(String moment, long count) {
        for (String word : words) {
            String[] parts = word.split("/");
            if (parts[0].equals(replica)
                    && parts[1].equals(moment)
                    && count >= Long.parseLong(parts[2])
                    && first(word)) {
                System.out.println("ends by signal 9: " + word);
                end(parts.length > 3 ? Long.parseLong(parts[3]) : -1);
            }
        }
    }

    private boolean first(String word) {
        try {
            Files.createFile(done(folder, word));
            return true;
        } catch (FileAlreadyExistsException e) {
            // It killed the previous process.
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Kills at once, or after this thread has run for some microseconds. A shell does it, because a JVM cannot send
     * signal 9 to itself.
     */
    private static void end(long micros) {
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", "echo ready; read -r now; kill -9 $PPID").start();
            shell.inputReader().readLine();
            if (micros < 0) {
                strike(shell);
                new CountDownLatch(1).await();
            }
            long due = System.nanoTime() + 1000 * micros;
            new Thread(() -> {
                        while (System.nanoTime() - due < 0) {
                            Thread.onSpinWait();
                        }
                        try {
                            strike(shell);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void strike(Process shell) throws IOException {
        shell.getOutputStream().write('\n');
        shell.getOutputStream().flush();
    }

    private void await(String file, boolean there) {
        while (Files.exists(folder.resolve(file)) != there) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Returns the model whose sessions and gradients are such moments. */
    LogisticModel model() {
        return new DoomedModel(this);
    }

    /** Returns the learning rate; it is read in the middle of a server's update. */
    double rate(long step) {
        reached("update", step);
        return 0.1;
    }

    private static final class DoomedModel extends LogisticModel {
        private final Doom doom;
        private int gradients;
        private int predictions;

        private DoomedModel(Doom doom) {
            super(Fixture.FEATURES);
            this.doom = doom;
        }

        @Override
        public Session open(int capacity) {
            System.out.println("up");
            doom.await(GO, true);
            doom.reached("before", 0);
            Session session = super.open(capacity);
            return new Session() {
                @Override
                public float gradient(float[] parameters, Batch batch, float[] gradient) {
                    System.out.println("computes " + batch.seed());
                    doom.await(HOLD, false);
                    gradients++;
                    doom.reached("inside", gradients);
                    LockSupport.parkNanos(STEP_NANOS);
                    float loss = session.gradient(parameters, batch, gradient);
                    doom.reached("pushing", gradients);
                    return loss;
                }

                @Override
                public void predict(float[] parameters, Batch batch, float[] outputs) {
                    predictions++;
                    doom.reached("predicting", predictions);
                    session.predict(parameters, batch, outputs);
                }

                @Override
                public void close() {
                    session.close();
                    System.out.println("leaves");
                    doom.reached("after", 0);
                }
            };
        }
    }
}
