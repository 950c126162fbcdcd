import dev.edl.spec.Resources;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.kinds.CustomResources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * EDL's half of the check of quantities. Reads one quantity a line from the standard input. Prints a line of EDL's results, separated by
 * tabs: as cpu, memory and devices of a job, then of a resource without quotes. A refused quantity is {@code -}.
 */
final class Quantities {
    private static final List<String> NAMES = List.of("cpu", "memory", "nvidia.com/gpu");

    private Quantities() {}

    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> answers = new ArrayList<>();
            for (String name : NAMES) {
                answers.add(ofJob(name, line));
            }
            for (String name : NAMES) {
                answers.add(ofResource(name, line));
            }
            System.out.println(String.join("\t", answers));
        }
    }

    private static String ofJob(String name, String quantity) {
        try {
            return Resources.parse(name + "=" + quantity).amounts().get(name);
        } catch (IllegalArgumentException e) {
            return "-";
        }
    }

    private static String ofResource(String name, String quantity) {
        String amounts = "{" + name + ": " + quantity + "}";
        try {
            return CustomResources.read("apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {name: a}\nspec: {tfReplicaSpecs: {"
                            + "Worker: {template: {spec: {containers: [{name: tensorflow, image: a, resources: {requests: "
                            + amounts + ", limits: " + amounts + "}}]}}}}}\n")
                    .job()
                    .spec()
                    .roles()
                    .get(0)
                    .template()
                    .requests()
                    .orElse(Resources.of())
                    .amounts()
                    .getOrDefault(name, "-");
        } catch (InvalidResourceException e) {
            return "-";
        }
    }
}
