package dev.edl.runtime.zoo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Access to the ND4J backend of this JVM: checks that it works, and limits the number of threads that an operation
 * uses.
 *
 * <p>EDL compiles against {@code nd4j-api} only; the application chooses the native backend.
 *
 * <pre>{@code
 * Backend.require();              // throws with the lines for the pom when there is no backend
 * Backend.oneThreadPerWorker();   // N workers use N cores
 * Backend.describe();             // "ND4J 1.0.0-M2.1, CPU, 1 thread per worker, OPENBLAS"
 * }</pre>
 *
 * <p>Safe for several threads. Nothing here prints or logs; ND4J logs to the application's SLF4J binding.
 */
public final class Backend {
    private static boolean singleThreaded;

    private Backend() {}

    /**
     * Starts ND4J, or throws. The first call of a JVM loads the natives, which takes about 0.5s; later calls cost
     * nothing.
     *
     * @throws MissingBackendException when no backend is on the class path, or it does not start
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
     * Makes each ND4J operation, element-wise or BLAS, run only on the calling thread, for the whole JVM.
     *
     * <p>For networks of usual size, two threads in one operation are slower than one, and compete with other workers
     * for cores. The workers themselves are the parallelism. Overrides {@code OMP_NUM_THREADS}. Only the first call of
     * a JVM has an effect.
     *
     * <p>Make the first call before other threads start, as {@code submit} does; otherwise it can deadlock. To find
     * OpenBLAS's function, JavaCPP opens libraries inside {@code dl_iterate_phdr}. A thread that loads a native library
     * meanwhile, for example by {@code Files.move} or an MXBean, takes the same two locks in the other order.
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
     * Returns one line about the backend: version, device, number of threads for an operation, and BLAS library.
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
