package dev.edl.image;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Main class that verifies the jars of a claim before it calls the program's main class: each jar of the class path has
 * its SHA-256 as its name. Java itself ignores a jar that is missing. It needs only {@link ClassPathReceiver}.
 *
 * <p>This protects from damaged, removed and truncated files, not from a program that may write to the claim.
 */
final class VerifyingLauncher {
    private static final String ADVICE = "; upload the class path again: ClassPathClaim.upload replaces such files";

    private VerifyingLauncher() {}

    /** Takes the program's main class and its arguments. */
    public static void main(String[] args) throws Throwable {
        for (String jar : System.getProperty("java.class.path").split(":")) {
            String problem = problem(Path.of(jar));
            if (!problem.isEmpty()) {
                System.err.println(problem);
                System.exit(1);
            }
        }
        Method main = Class.forName(args[0]).getMethod("main", String[].class);
        // Java starts also a class that is not public.
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Returns why a jar is not the uploaded one, or an empty text. */
    static String problem(Path jar) {
        String digest = jar.getFileName().toString().replaceFirst("[.]jar$", "");
        try {
            if (!Files.isRegularFile(jar)) {
                return jar + " is missing on the claim" + ADVICE;
            }
            String found = FileDigest.of(jar);
            return found.equals(digest)
                    ? ""
                    : jar + " is not the uploaded file: its SHA-256 must be " + digest + ", was " + found + ADVICE;
        } catch (IOException e) {
            return jar + " cannot be read: " + e + ADVICE;
        }
    }
}
