import java.io.BufferedInputStream;
import java.io.FileInputStream;
import javazoom.jl.decoder.Bitstream;
import javazoom.jl.decoder.Decoder;
import javazoom.jl.decoder.Header;
import javazoom.jl.decoder.SampleBuffer;

/** Decodes a file of MPEG audio, layer 3, so many times: Audio FILE TIMES. */
public final class Audio {
    public static void main(String[] arguments) throws Exception {
        int times = Integer.parseInt(arguments[1]);
        long energy = 0;
        int frames = 0;
        for (int time = 0; time < times; time++) {
            Bitstream stream = new Bitstream(new BufferedInputStream(new FileInputStream(arguments[0])));
            Decoder decoder = new Decoder();
            for (Header header = stream.readFrame(); header != null; header = stream.readFrame()) {
                SampleBuffer samples = (SampleBuffer) decoder.decodeFrame(header, stream);
                for (int at = 0; at < samples.getBufferLength(); at += 16) {
                    energy += Math.abs(samples.getBuffer()[at]);
                }
                frames++;
                stream.closeFrame();
            }
            stream.close();
        }
        if (frames == 0) {
            throw new AssertionError("no frame in " + arguments[0]);
        }
        System.out.println(frames + " frames, energy " + energy);
    }
}
