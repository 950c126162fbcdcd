import com.fasterxml.jackson.databind.ObjectMapper;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.InvalidResourceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * EDL's half of the check of YAML. Reads texts from the standard input, each as a JSON string on a line. Prints the objects of each as a
 * list in JSON on a line. A refused text is {@code -} with the reason.
 */
final class Yaml {
    private Yaml() {}

    public static void main(String[] args) throws IOException {
        ObjectMapper json = new ObjectMapper();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String answer;
            try {
                answer = json.writeValueAsString(CustomObject.allFromYaml(json.readValue(line, String.class)).stream()
                        .map(CustomObject::fields)
                        .toList());
            } catch (InvalidResourceException e) {
                answer = "- " + e.getMessage().replace('\n', ' ');
            }
            System.out.println(answer);
        }
    }
}
