import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Needs no library. From Kotlin: WebhookVerifier(System.getenv("WEBHOOK_SECRET")).verify(…) */
public final class WebhookVerifier {
    private static final long TOLERANCE_S = 5 * 60;
    private final SecretKeySpec key;

    public WebhookVerifier(String secret) {
        byte[] bytes = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    /** Takes the raw, unparsed body. Returns false if the request is not authentic. */
    public boolean verify(byte[] rawBody, String id, String timestamp, String signatures)
            throws GeneralSecurityException {
        if (id == null || timestamp == null || signatures == null) return false;
        if (!timestamp.matches("\\d{1,12}")) return false;
        long ageS = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
        if (Math.abs(ageS) > TOLERANCE_S) return false;

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody)))
                .getBytes(StandardCharsets.UTF_8);
        boolean isSigned = false;
        for (String entry : signatures.split(" ")) {
            isSigned |= MessageDigest.isEqual(expected, entry.getBytes(StandardCharsets.UTF_8));
        }
        return isSigned;
    }
}
