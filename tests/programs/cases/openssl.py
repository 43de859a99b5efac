"""openssl: keys, certificates, ciphers, digests; nothing random reaches the output."""

PACKAGES = ["openssl"]


def case(lab):
    lab.write("data", bytes(i * 31 % 251 for i in range(1 << 20)))
    for digest in ("sha512", "sha3-256", "blake2b512"):
        lab.run(["openssl", "dgst", f"-{digest}", "data"])
    words = ["-pbkdf2", "-iter", "2000", "-S", "0011223344556677", "-k", "word"]
    for cipher in ("aes-256-cbc", "chacha20", "camellia-128-ctr"):
        lab.run(["openssl", "enc", f"-{cipher}", *words, "-in", "data", "-out", "packed"])
        lab.observe(cipher, lab.read("packed"))
        lab.run(["openssl", "enc", "-d", f"-{cipher}", *words, "-in", "packed"])
    lab.run(["openssl", "genrsa", "-out", "key.pem", "2048"], stderr=False)
    lab.run(["openssl", "rsa", "-in", "key.pem", "-check", "-noout"])
    subject = ["-subj", "/CN=localhost/O=Test", "-days", "10"]
    lab.run(["openssl", "req", "-x509", "-new", "-key", "key.pem", *subject, "-out", "cert.pem"])
    lab.run(["openssl", "verify", "-CAfile", "cert.pem", "cert.pem"])
    lab.run(["openssl", "dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "data"])
    lab.run(["openssl", "x509", "-in", "cert.pem", "-pubkey", "-noout"], record=False)
    lab.run(
        ["openssl", "dgst", "-sha256", "-prverify", "key.pem", "-signature", "signature", "data"]
    )
    lab.run(["openssl", "prime", "-hex", "FFFFFFFFFFFFFFC5"])
    lab.run(["openssl", "list", "-digest-algorithms"])
    lab.run(["openssl", "x509", "-in", "signature"], status=1, stderr=False)
