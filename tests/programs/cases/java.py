"""openjdk: javac on generics and records, java with threads, direct buffers, zip, class loading."""

PACKAGES = ["openjdk-17-jdk-headless"]
SECONDS = 180

MAIN = r"""
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;
import java.util.zip.*;

public class Main {
  record Pair<A, B>(A first, B second) {}
  sealed interface Shape permits Circle, Square {}
  record Circle(double radius) implements Shape {}
  record Square(double side) implements Shape {}
  static <T extends Comparable<T>> T largest(Collection<? extends T> all) {
    return all.stream().max(Comparator.naturalOrder()).orElseThrow();
  }
  static double area(Shape s) {
    return s instanceof Circle c ? 3 * c.radius() * c.radius() : ((Square) s).side() * 2;
  }
  static long compress(int seed) {
    try {
      byte[] data = new byte[200000];
      new Random(seed).nextBytes(data);
      for (int i = 0; i < data.length; i++) data[i] &= 15;
      Deflater d = new Deflater(6);
      d.setInput(data); d.finish();
      byte[] out = new byte[220000];
      int n = d.deflate(out); d.end();
      Inflater f = new Inflater();
      f.setInput(out, 0, n);
      byte[] back = new byte[data.length];
      f.inflate(back); f.end();
      CRC32 crc = new CRC32(); crc.update(back);
      return Arrays.equals(data, back) ? n + crc.getValue() : -1;
    } catch (DataFormatException e) { throw new RuntimeException(e); }
  }
  public static void main(String[] args) throws Exception {
    Map<String, List<Integer>> groups = IntStream.range(0, 200000).boxed()
        .collect(Collectors.groupingBy(i -> "g" + i % 1009, TreeMap::new, Collectors.toList()));
    System.out.println(groups.size() + " " + largest(groups.keySet()));
    System.out.println(area(new Circle(2)) + area(new Square(3)) + " " + new Pair<>("a", 1));
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<Long>> sums = new ArrayList<>();
    for (int i = 0; i < 24; i++) { int n = i; sums.add(pool.submit(() -> compress(n))); }
    for (var s : sums) System.out.println(s.get());
    pool.shutdown();
    long total = 0;
    for (int i = 1; i < 3000; i++) {
      ByteBuffer b = ByteBuffer.allocateDirect(i * 37);
      b.putInt(0, i); total += b.getInt(0) + b.capacity();
    }
    System.out.println(total);
    List<Thread> threads = new ArrayList<>();
    LongAdder adder = new LongAdder();
    for (int i = 0; i < 100; i++) {
      Thread t = new Thread(() -> { for (int k = 0; k < 2000; k++) adder.add(("" + k).length()); });
      t.start(); threads.add(t);
    }
    for (Thread t : threads) t.join();
    System.out.println(adder);
    byte[][] churn = new byte[64][];
    for (int i = 0; i < 20000; i++) churn[i % 64] = new byte[i % 9000];
    System.gc();
    System.out.println(Stream.of(churn).mapToInt(x -> x.length).sum());
    Process p = new ProcessBuilder("echo", "from a child").redirectErrorStream(true).start();
    System.out.print(new String(p.getInputStream().readAllBytes()));
    System.err.println("status " + p.waitFor());
    System.exit(7);
  }
}
"""

BROKEN = 'class Broken { int f() { return "text"; } void g() { missing(); } }'
CLASSES = ("Main", "Main$Pair", "Main$Circle", "Main$Square", "Main$Shape")


def case(lab):
    lab.write("Main.java", MAIN)
    lab.run(["javac", "-J-Xmx256m", "-Xlint:all", "Main.java"])
    for name in CLASSES:
        lab.observe(name, lab.read(f"{name}.class"))
    for collector in ("-XX:+UseSerialGC", "-XX:+UseG1GC"):
        lab.run(["java", "-Xmx256m", collector, "Main"], status=7, label=f"java {collector}")
    lab.write("Broken.java", BROKEN)
    lab.run(["javac", "-J-Xmx256m", "Broken.java"], status=1)
