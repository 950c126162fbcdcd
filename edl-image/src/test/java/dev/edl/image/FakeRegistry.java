package dev.edl.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The part of the distribution protocol that pushes and fetches images, in memory, on loopback, with a certificate that no JVM trusts. */
public final class FakeRegistry implements AutoCloseable {
    private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

    private final HttpsServer server;
    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    private final List<String> uploads = new CopyOnWriteArrayList<>();
    private volatile @Nullable String password;

    public FakeRegistry(SSLContext tls) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/v2/", this::answer);
        server.start();
    }

    /** Writes a key store with a certificate that it signs itself; its password is "secret". */
    public static SSLContext tls(Path store) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = List.of(keytool, "-genkeypair", "-keystore", store.toString(), "-storepass", "secret");
        List<String> key = List.of("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost");
        List<String> host = List.of("-alias", "key", "-ext", "san=dns:localhost");
        Process process = new ProcessBuilder(
                        Stream.of(command, key, host).flatMap(List::stream).toList())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "secret".toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        return tls;
    }

    /** Demands the password of user "acme". */
    void demand(String given) {
        password = given;
    }

    public String host() {
        return "localhost:" + server.getAddress().getPort();
    }

    public byte[] blob(String digest) {
        return Objects.requireNonNull(blobs.get(digest), digest);
    }

    public byte[] manifest(String reference) {
        return Objects.requireNonNull(manifests.get(reference), reference);
    }

    /** Digests of the blobs that were uploaded since the last call. */
    List<String> uploads() {
        List<String> digests = List.copyOf(uploads);
        uploads.clear();
        return digests;
    }

    /** Adds an image of one layer, which has one empty file. */
    public void base(String repository, String tag) throws IOException {
        byte[] tar = new byte[1024];
        ByteArrayOutputStream layer = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(layer)) {
            zip.write(tar);
        }
        String diff = digest(tar);
        byte[] config = ("{\"architecture\":\"amd64\",\"os\":\"linux\",\"config\":{\"Env\":[\"PATH=/usr/java/bin\"]},"
                        + "\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"" + diff + "\"]}}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] manifest = ("{\"schemaVersion\":2,\"mediaType\":\"" + MANIFEST + "\",\"config\":"
                        + described("application/vnd.docker.container.image.v1+json", config) + ",\"layers\":["
                        + described("application/vnd.docker.image.rootfs.diff.tar.gzip", layer.toByteArray()) + "]}")
                .getBytes(StandardCharsets.UTF_8);
        manifests.put(repository + ":" + tag, manifest);
    }

    private String described(String type, byte[] blob) {
        blobs.put(digest(blob), blob);
        return "{\"mediaType\":\"" + type + "\",\"size\":" + blob.length + ",\"digest\":\"" + digest(blob) + "\"}";
    }

    static String digest(byte[] bytes) {
        return "sha256:" + HexFormat.of().formatHex(FileDigest.sha256().digest(bytes));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String method = exchange.getRequestMethod();
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!mayCome(exchange)) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"acme\"");
                send(exchange, 401, new byte[0]);
            } else if (path.equals("/v2/")) {
                send(exchange, 200, new byte[0]);
            } else if (path.contains("/blobs/uploads/")) {
                upload(exchange, path, method, body);
            } else if (path.contains("/blobs/")) {
                String digest = path.substring(path.lastIndexOf('/') + 1);
                send(exchange, blobs.containsKey(digest) ? 200 : 404, blobs.getOrDefault(digest, new byte[0]));
            } else {
                manifest(exchange, path, method, body);
            }
        }
    }

    private boolean mayCome(HttpExchange exchange) {
        String demanded = password;
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        byte[] pair = ("acme:" + demanded).getBytes(StandardCharsets.UTF_8);
        return demanded == null || ("Basic " + Base64.getEncoder().encodeToString(pair)).equals(given);
    }

    private void upload(HttpExchange exchange, String path, String method, byte[] body) throws IOException {
        switch (method) {
            case "POST" -> {
                exchange.getResponseHeaders().set("Location", "https://" + host() + path + "1");
                send(exchange, 202, new byte[0]);
            }
            case "PATCH" -> {
                String digest = digest(body);
                blobs.put(digest, body);
                uploads.add(digest);
                exchange.getResponseHeaders().set("Location", "https://" + host() + path);
                send(exchange, 202, new byte[0]);
            }
            default -> send(exchange, 201, new byte[0]);
        }
    }

    private void manifest(HttpExchange exchange, String path, String method, byte[] body) throws IOException {
        String[] parts = path.substring("/v2/".length()).split("/manifests/", -1);
        String key = parts[0] + (parts[1].startsWith("sha256:") ? "@" : ":") + parts[1];
        if (method.equals("PUT")) {
            manifests.put(key, body);
            manifests.put(parts[0] + "@" + digest(body), body);
            send(exchange, 201, new byte[0]);
        } else {
            byte[] manifest = manifests.get(key);
            exchange.getResponseHeaders().set("Content-Type", MANIFEST);
            send(exchange, manifest == null ? 404 : 200, manifest == null ? new byte[0] : manifest);
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        }
        exchange.sendResponseHeaders(status, empty ? -1 : body.length);
        if (!empty) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
