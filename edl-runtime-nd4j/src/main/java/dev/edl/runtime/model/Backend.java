package dev.edl.runtime.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The ND4J backend of this JVM: whether there is one, and how many threads an operation of it takes.
 *
 * <p>EDL compiles against {@code nd4j-api} only; which natives do the work is the choice of the program that uses it.
 *
 * <pre>{@code
 * Backend.require();              // throws with the lines for the pom when none is there
 * Backend.oneThreadPerWorker();   // N workers use N cores
 * Backend.describe();             // "ND4J 1.0.0-M2.1, CPU, 1 thread per worker, OPENBLAS"
 * }</pre>
 *
 * <p>Safe for several threads. Nothing here prints or logs; what ND4J logs goes to the program's SLF4J binding.
 */
public final class Backend {
    private static boolean singleThreaded;

    private Backend() {}

    /**
     * Starts ND4J, or says what is missing. The first call of a JVM loads the natives, which takes about half a second;
     * later calls cost nothing.
     *
     * @throws MissingBackendException when no backend is on the class path or the one there does not start
     */
    public static void require() {
        try {
            Nd4j.getBackend();
        } catch (LinkageError | RuntimeException e) {
            throw new MissingBackendException(
                    BackendAdvice.of(e, System.getProperty("os.name", ""), System.getProperty("os.arch", "")), e);
        }
    }

    /**
     * Makes each ND4J operation, element-wise or BLAS, run on the thread that calls it and no other, for the whole JVM.
     *
     * <p>Two threads inside one operation are slower than one on networks of usual size, and they fight with the other
     * workers for cores; so the workers themselves are the parallelism. Overrides {@code OMP_NUM_THREADS}. Only the first
     * call of a JVM sets it.
     *
     * <p>To find OpenBLAS's function, JavaCPP opens libraries inside {@code dl_iterate_phdr}. A thread that loads a native library in
     * that moment, by {@code Files.move} or an MXBean for example, takes the same two locks in the other order, and both wait for ever.
     * So the first call belongs before other threads are started, as {@code submit} makes it.
     *
     * @throws MissingBackendException as {@link #require()}
     */
    public static synchronized void oneThreadPerWorker() {
        if (!singleThreaded) {
            require();
            Nd4j.getEnvironment().setMaxMasterThreads(1);
            Nd4j.factory().blas().setMaxThreads(1);
            singleThreaded = true;
        }
    }

    /**
     * One line on what computes: version, device, threads that an operation may take, BLAS.
     *
     * @throws MissingBackendException as {@link #require()}
     */
    public static String describe() {
        require();
        int threads = Math.max(
                Nd4j.getEnvironment().maxMasterThreads(), Nd4j.factory().blas().getMaxThreads());
        return "ND4J " + version() + ", "
                + (Nd4j.getEnvironment().isCPU() ? "CPU" : "GPU") + ", "
                + threads + (threads == 1 ? " thread" : " threads") + " per worker, "
                + Nd4j.factory().blas().getBlasVendor();
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = Nd4j.class.getResourceAsStream("/META-INF/maven/org.nd4j/nd4j-api/pom.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the jar of nd4j-api cannot be read", e);
        }
        return properties.getProperty("version", "of unknown version");
    }
}
