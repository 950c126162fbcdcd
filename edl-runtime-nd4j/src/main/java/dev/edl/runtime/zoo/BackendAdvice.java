package dev.edl.runtime.zoo;

import java.util.Locale;
import java.util.Optional;
import org.nd4j.linalg.factory.Nd4jBackend;

/** Message of a {@link MissingBackendException}: the cause, and the lines for the pom on this machine. */
final class BackendAdvice {
    static final String ND4J = "1.0.0-M2.1";
    static final String OPENBLAS = "0.3.19-1.5.7";
    static final String JAVACPP = "1.5.7";

    private BackendAdvice() {}

    /** Returns the message for a failed start of ND4J, derived from the failure's chain of causes. */
    static String of(Throwable failure, String osName, String osArch) {
        return reason(failure)
                + "; EDL leaves the choice of a backend to the program that uses it. "
                + classifier(osName, osArch)
                        .map(platform -> "For the CPU of this machine (" + osName + " " + osArch + ") add to the pom:\n"
                                + dependency("org.nd4j", "nd4j-native", ND4J, "")
                                + dependency("org.nd4j", "nd4j-native", ND4J, platform)
                                + dependency("org.bytedeco", "openblas", OPENBLAS, platform)
                                + dependency("org.bytedeco", "javacpp", JAVACPP, platform)
                                + "or as Maven coordinates (%maven of a notebook, a resolver):\n  "
                                + "org.nd4j:nd4j-native:" + ND4J + " org.nd4j:nd4j-native:jar:" + platform + ":" + ND4J
                                + " org.bytedeco:openblas:jar:" + platform + ":" + OPENBLAS
                                + " org.bytedeco:javacpp:jar:" + platform + ":" + JAVACPP
                                + "\nor, in Gradle, in which the classifier is last: org.nd4j:nd4j-native:" + ND4J + ":"
                                + platform + " and so on\n")
                        .orElse("nd4j-native " + ND4J + " is published for linux-x86_64, linux-arm64, macosx-x86_64, "
                                + "macosx-arm64 and windows-x86_64, but not for this machine (" + osName + " " + osArch
                                + ")");
    }

    /**
     * Returns the classifier under which ND4J, OpenBLAS and JavaCPP publish natives; empty for an unsupported machine.
     */
    static Optional<String> classifier(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        boolean arm = osArch.equals("aarch64") || osArch.equals("arm64");
        boolean intel = osArch.equals("amd64") || osArch.equals("x86_64");
        if (os.startsWith("linux") && (arm || intel)) {
            return Optional.of(arm ? "linux-arm64" : "linux-x86_64");
        }
        if (os.startsWith("mac") && (arm || intel)) {
            return Optional.of(arm ? "macosx-arm64" : "macosx-x86_64");
        }
        return os.startsWith("windows") && intel ? Optional.of("windows-x86_64") : Optional.empty();
    }

    private static String reason(Throwable failure) {
        Throwable deepest = failure;
        for (Throwable t = failure; t != null; t = t.getCause()) {
            deepest = t;
            // After a failed static initialiser, the JVM has the causes as text only.
            if (t instanceof Nd4jBackend.NoAvailableBackendException
                    || String.valueOf(t.getMessage()).contains("NoAvailableBackendException")) {
                return "no ND4J backend is on the class path";
            }
        }
        return "the ND4J backend on the class path does not start (" + deepest + ")";
    }

    private static String dependency(String group, String artifact, String version, String classifier) {
        return "  <dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId><version>"
                + version
                + "</version>" + (classifier.isEmpty() ? "" : "<classifier>" + classifier + "</classifier>")
                + "</dependency>\n";
    }
}
