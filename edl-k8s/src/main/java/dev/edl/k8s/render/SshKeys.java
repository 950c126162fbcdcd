package dev.edl.k8s.render;

/**
 * Ssh keys by which a launcher reaches its workers under the et-operator's profile; they become a Secret.
 *
 * @param privateKey in PEM form, {@code -----BEGIN …}
 * @param publicKey a line of OpenSSH, {@code ssh-rsa AAAA…}
 */
public record SshKeys(String privateKey, String publicKey) {
    /** Validates the forms of the keys. */
    public SshKeys {
        if (!privateKey.startsWith("-----BEGIN ")) {
            throw new IllegalArgumentException(
                    "a private key must be in PEM form and begin with -----BEGIN; ssh-keygen -t rsa -m PEM makes one");
        }
        if (!publicKey.matches("(ssh|ecdsa)-[a-z0-9-]+ \\S+( .*)?\\R?")) {
            throw new IllegalArgumentException(
                    "a public key must be a line of OpenSSH, was \"" + publicKey + "\"; for example ssh-rsa AAAAB3Nz…");
        }
    }

    /** Returns the public key, without the private key. */
    @Override
    public String toString() {
        return "SshKeys of " + publicKey.strip();
    }
}
