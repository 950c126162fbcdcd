package dev.edl.conformance.images;

import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.image.ClaimFiles;
import dev.edl.image.ClaimTransfer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks that files travel to a claim and back, by a pod whose image needs neither a shell nor tar. */
@OnCluster("--nodes 3")
class DataPutGet {
    private static final String NAMESPACE = "edl-data";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int LENGTH = 20_000_000;

    @Test
    void files_travel_to_a_claim_and_back() throws Exception {
        Path in = Files.createTempDirectory("edl-in-");
        byte[] large = new byte[LENGTH];
        new Random(1).nextBytes(large);
        Files.write(in.resolve("large"), large);
        Path small = Files.createDirectories(in.resolve("größe")).resolve("数.txt");
        Files.writeString(small, "small");
        Files.createDirectories(in.resolve("größe/empty"));
        RuntimeImage.load();
        Path shared = Files.createTempDirectory("edl-data-");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, true);
            Checks.volume(shared, NAMESPACE, "data");
            ClaimFiles claim = ClaimFiles.of(client, NAMESPACE, "data-claim");

            ClaimTransfer put = put(claim, in);
            Checks.check(put.sentFiles() == 2 && put.sentBytes() == LENGTH + 5, "two files must travel, but " + put);
            Files.writeString(small, "other");
            ClaimTransfer again = put(claim, in);
            Checks.check(again.sentBytes() == 5, "the changed file alone must travel, but " + again);

            Path out = Files.createTempDirectory("edl-out-");
            ClaimTransfer got = get(claim, "set", out);
            Checks.check(
                    got.sentFiles() == 2
                            && Files.mismatch(in.resolve("large"), out.resolve("large")) < 0
                            && Files.readString(out.resolve("größe/数.txt")).equals("other")
                            && Files.isDirectory(out.resolve("größe/empty")),
                    "the files must be the same, but " + got);
            System.out.println("kubernetes: files travelled to a claim and back: " + put + "; " + got);
            refused(claim, shared, out);
            String left = Kubectl.run("get", "pods,configmaps", "--namespace", NAMESPACE, "-o", "name");
            Checks.check(!left.contains("edl-upload"), "a transfer must leave no objects, but\n" + left);
            client.namespaces().withName(NAMESPACE).delete();
        }
    }

    private static ClaimTransfer put(ClaimFiles claim, Path in) throws Exception {
        return claim.put(in, "set", RuntimeImage.NAME, LIMIT, progress -> {});
    }

    private static ClaimTransfer get(ClaimFiles claim, String path, Path out) throws Exception {
        return claim.get(path, out, RuntimeImage.NAME, LIMIT, progress -> {});
    }

    private static void refused(ClaimFiles claim, Path shared, Path out) throws Exception {
        Files.createSymbolicLink(shared.resolve("link"), Path.of("/etc"));
        for (String path : new String[] {"", "link", "absent"}) {
            String why;
            try {
                why = "no refusal, but " + get(claim, path, out);
            } catch (IOException e) {
                why = String.valueOf(e.getMessage());
            }
            Checks.check(
                    why.contains(path.equals("absent") ? "absent does not exist" : "is a symbolic link"),
                    "path \"" + path + "\" must be refused, but " + why);
        }
        System.out.println("kubernetes: a link that leaves the claim and an absent path are refused");
    }
}
