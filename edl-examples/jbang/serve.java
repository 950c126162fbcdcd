///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+
//DEPS com.microsoft.onnxruntime:onnxruntime:1.20.0

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * Serves a classifier from an ONNX file over HTTP: jbang serve.java digits.onnx 8080. The body of a POST has a record a line,
 * as numbers with commas between them; each line of the response has the class of a record and its probability. It
 * needs ONNX Runtime, and no EDL.
 */
class serve {
    private static final int LARGEST_BODY = 1 << 20;

    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final OrtSession session;

    serve(String file) throws OrtException {
        session = environment.createSession(file);
    }

    public static void main(String... args) throws OrtException, IOException {
        if (args.length != 2) {
            System.err.println("usage: serve.java FILE.onnx PORT; port 0 is a free port");
            System.exit(2);
        }
        serve model = new serve(args[0]);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])), 0);
        server.createContext("/", model::answer);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
        System.out.println("serves " + args[0] + " at http://localhost:" + server.getAddress().getPort() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        String text;
        try {
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY);
            text = classes(new String(body, StandardCharsets.UTF_8).lines().map(serve::numbers).toArray(float[][]::new));
        } catch (IllegalArgumentException | OrtException e) {
            status = 400;
            text = e.getMessage() + "\n";
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static float[] numbers(String line) {
        String[] fields = line.split(",");
        float[] numbers = new float[fields.length];
        for (int i = 0; i < fields.length; i++) {
            numbers[i] = Float.parseFloat(fields[i]);
        }
        return numbers;
    }

    /** Returns a line for each record, for example {@code 7 0.98}. A session computes for several threads. */
    private String classes(float[][] records) throws OrtException {
        int width = records.length == 0 ? 0 : records[0].length;
        FloatBuffer features = FloatBuffer.allocate(records.length * width);
        for (float[] record : records) {
            if (record.length != width || width == 0) {
                throw new IllegalArgumentException("each line must have as many numbers as the first, " + width + ", was "
                        + Arrays.toString(record));
            }
            features.put(record);
        }
        StringBuilder lines = new StringBuilder();
        try (OnnxTensor tensor = OnnxTensor.createTensor(
                        environment, features.flip(), new long[] {records.length, width});
                OrtSession.Result result = session.run(Map.of("features", tensor))) {
            for (float[] probabilities : (float[][]) result.get("outputs").orElseThrow().getValue()) {
                int best = 0;
                for (int i = 1; i < probabilities.length; i++) {
                    best = probabilities[i] > probabilities[best] ? i : best;
                }
                lines.append(best).append(' ').append(probabilities[best]).append('\n');
            }
        }
        return lines.toString();
    }
}
