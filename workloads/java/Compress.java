import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.apache.commons.compress.compressors.CompressorInputStream;
import org.apache.commons.compress.compressors.CompressorOutputStream;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/** Compresses texts by three coders after Lempel and Ziv, and expands them: Compress TEXTS BYTES. */
public final class Compress {
    private static final String[] CODERS = {
        CompressorStreamFactory.LZ4_BLOCK, CompressorStreamFactory.DEFLATE, CompressorStreamFactory.LZ4_FRAMED
    };

    private static byte[] text(Random random, int bytes) {
        StringBuilder out = new StringBuilder();
        while (out.length() < bytes) {
            out.append("word").append((int) Math.abs(random.nextGaussian() * 40)).append(' ');
        }
        return out.substring(0, bytes).getBytes();
    }

    public static void main(String[] arguments) throws Exception {
        int texts = Integer.parseInt(arguments[0]);
        int bytes = Integer.parseInt(arguments[1]);
        Random random = new Random(1);
        CompressorStreamFactory factory = new CompressorStreamFactory();
        long packed = 0;
        for (int number = 0; number < texts; number++) {
            byte[] text = text(random, bytes);
            String coder = CODERS[number % CODERS.length];
            ByteArrayOutputStream small = new ByteArrayOutputStream();
            try (CompressorOutputStream out = factory.createCompressorOutputStream(coder, small)) {
                out.write(text);
            }
            packed += small.size();
            try (CompressorInputStream in =
                    factory.createCompressorInputStream(coder, new ByteArrayInputStream(small.toByteArray()))) {
                if (!Arrays.equals(in.readAllBytes(), text)) {
                    throw new AssertionError(coder + " gave back another text");
                }
            }
        }
        System.out.println("packed into " + packed);
    }
}
