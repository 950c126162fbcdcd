package dev.edl.cli.data;

import dev.edl.cli.cluster.ClusterConnection;
import dev.edl.image.ClaimFiles;
import dev.edl.image.ClaimTransfer;
import dev.edl.internal.text.DurationText;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.render.PodOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Flags of a transfer to or from a claim. */
final class ClaimTransferOptions {
    /** Label of the argument with a claim. */
    static final String TARGET = "CLAIM:PATH";

    /** Longest timeout; Kubernetes has deadlines up to 2147483647 seconds. */
    private static final Duration LONGEST = Duration.ofDays(24_000);

    private static final Pattern FORM = Pattern.compile("([a-z0-9]([-a-z0-9.]*[a-z0-9])?)(:(.*?)/?)?");
    private static final Pattern LEAVING = Pattern.compile("(.*/)?[.]{0,2}(/.*)?");

    @Mixin
    private ClusterConnection connection = new ClusterConnection();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the claim. Default: that of the context.")
    private @Nullable String namespace;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "Image of the temporary pod, with Java 17 or later. Default: ${DEFAULT-VALUE}")
    private String image = "eclipse-temurin:17-jre";

    @Option(
            names = "--user",
            paramLabel = "UID",
            description = "Number of the pod's user, for example 2000. Default: 1000.")
    private @Nullable Long user;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "1h",
            description = "Longest duration, with the start of the pod. Default: ${DEFAULT-VALUE}")
    private Duration timeout = Duration.ofHours(1);

    /** Transfer with a claim. */
    @FunctionalInterface
    interface Transfer {
        ClaimTransfer run(ClaimFiles claim, String path, String image, Duration limit, Consumer<ClaimTransfer> progress)
                throws IOException, InterruptedException;
    }

    /** Runs a transfer, and prints its progress and its result. */
    int run(CommandLine line, String target, Transfer transfer) throws IOException, InterruptedException {
        Matcher form = FORM.matcher(target);
        String path = form.matches() && form.group(4) != null ? form.group(4) : "";
        if (!form.matches() || (!path.isEmpty() && LEAVING.matcher(path).matches())) {
            throw new ParameterException(
                    line,
                    TARGET + " must be the name of a claim, and perhaps a colon and a path below its root without"
                            + " \"..\", was \"" + target + "\"; for example training-data:mnist/train");
        }
        if (user != null && (user < 1 || user > Integer.MAX_VALUE)) {
            throw new ParameterException(
                    line,
                    "--user must be from 1 to " + Integer.MAX_VALUE + ", because the pod may not run as root, was \""
                            + user + "\"; for example 2000");
        }
        if (timeout.compareTo(LONGEST) > 0) {
            throw new ParameterException(
                    line,
                    "--timeout must be at most " + LONGEST.toDays() + "d, was \"" + DurationText.of(timeout)
                            + "\"; for example 2h");
        }
        PodOptions.Builder options = PodOptions.builder();
        if (user != null) {
            options.runAsUser(user);
        }
        try (KubernetesExecutor executor = connection.executor(PodOptions.none())) {
            ClaimFiles claim = ClaimFiles.of(
                            executor.client(), namespace == null ? executor.namespace() : namespace, form.group(1))
                    .podOptions(options.build());
            ClaimTransfer end = transfer.run(claim, path, image, timeout, progress(line.getErr(), System::nanoTime));
            line.getOut().println(end);
            return 0;
        }
    }

    /** Returns a listener that prints at most one line within five seconds, the first one after five. */
    static Consumer<ClaimTransfer> progress(PrintWriter err, LongSupplier nanos) {
        long interval = TimeUnit.SECONDS.toNanos(5);
        long[] next = {nanos.getAsLong() + interval};
        return state -> {
            long now = nanos.getAsLong();
            if (now - next[0] >= 0) {
                next[0] = now + interval;
                err.println(state);
            }
        };
    }
}
