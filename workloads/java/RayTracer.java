import java.util.ArrayList;
import java.util.List;

/** Spheres over a floor, traced by two threads, a row each in turn: RayTracer WIDTH HEIGHT. */
public final class RayTracer {
    record Vector(double x, double y, double z) {
        Vector plus(Vector o) {
            return new Vector(x + o.x, y + o.y, z + o.z);
        }

        Vector minus(Vector o) {
            return new Vector(x - o.x, y - o.y, z - o.z);
        }

        Vector times(double factor) {
            return new Vector(x * factor, y * factor, z * factor);
        }

        double dot(Vector o) {
            return x * o.x + y * o.y + z * o.z;
        }

        Vector unit() {
            return times(1 / Math.sqrt(dot(this)));
        }
    }

    record Ray(Vector from, Vector along) {
        Vector at(double distance) {
            return from.plus(along.times(distance));
        }
    }

    record Hit(double distance, Vector point, Vector normal, Surface surface) {}

    record Surface(Vector colour, double mirror) {}

    interface Body {
        Hit hit(Ray ray);
    }

    record Sphere(Vector centre, double radius, Surface surface) implements Body {
        public Hit hit(Ray ray) {
            Vector to = ray.from().minus(centre);
            double half = to.dot(ray.along());
            double rest = half * half - to.dot(to) + radius * radius;
            if (rest < 0) {
                return null;
            }
            double distance = -half - Math.sqrt(rest);
            if (distance < 1e-6) {
                return null;
            }
            Vector point = ray.at(distance);
            return new Hit(distance, point, point.minus(centre).unit(), surface);
        }
    }

    record Floor(double height, Surface light, Surface dark) implements Body {
        public Hit hit(Ray ray) {
            double distance = (height - ray.from().y()) / ray.along().y();
            if (!(distance > 1e-6) || distance > 1e4) {
                return null;
            }
            Vector point = ray.at(distance);
            boolean even = ((long) Math.floor(point.x()) + (long) Math.floor(point.z())) % 2 == 0;
            return new Hit(distance, point, new Vector(0, 1, 0), even ? light : dark);
        }
    }

    private static final Vector LIGHT = new Vector(4, 8, -3);
    private static final int DEPTH = 3;
    private final List<Body> bodies = new ArrayList<>();

    private RayTracer() {
        Surface white = new Surface(new Vector(0.9, 0.9, 0.9), 0.1);
        Surface black = new Surface(new Vector(0.1, 0.1, 0.1), 0.3);
        bodies.add(new Floor(-1, white, black));
        for (int i = 0; i < 7; i++) {
            Vector colour = new Vector(i % 3 / 2.0, i % 2, 1 - i / 7.0);
            bodies.add(new Sphere(new Vector(i - 3, Math.sin(i) / 2, 4 + i % 3), 0.6, new Surface(colour, 0.4)));
        }
    }

    private Hit nearest(Ray ray) {
        Hit best = null;
        for (Body one : bodies) {
            Hit hit = one.hit(ray);
            if (hit != null && (best == null || hit.distance() < best.distance())) {
                best = hit;
            }
        }
        return best;
    }

    private Vector trace(Ray ray, int depth) {
        Hit hit = nearest(ray);
        if (hit == null) {
            return new Vector(0.4, 0.6, 0.9);
        }
        Vector toLight = LIGHT.minus(hit.point()).unit();
        boolean isDark = nearest(new Ray(hit.point(), toLight)) != null;
        double bright = isDark ? 0.15 : 0.15 + 0.85 * Math.max(0, hit.normal().dot(toLight));
        Vector colour = hit.surface().colour().times(bright);
        if (depth == 0) {
            return colour;
        }
        Vector back = ray.along().minus(hit.normal().times(2 * ray.along().dot(hit.normal())));
        double mirror = hit.surface().mirror();
        return colour.times(1 - mirror).plus(trace(new Ray(hit.point(), back), depth - 1).times(mirror));
    }

    public static void main(String[] arguments) throws InterruptedException {
        int width = Integer.parseInt(arguments[0]);
        int height = Integer.parseInt(arguments[1]);
        RayTracer tracer = new RayTracer();
        Vector[][] picture = new Vector[height][width];
        Thread[] threads = new Thread[2];
        for (int number = 0; number < threads.length; number++) {
            int first = number;
            threads[number] = new Thread(() -> {
                for (int row = first; row < height; row += threads.length) {
                    for (int column = 0; column < width; column++) {
                        double x = (column - width / 2.0) / width;
                        double y = (height / 2.0 - row) / width;
                        picture[row][column] =
                                tracer.trace(new Ray(new Vector(0, 0, -2), new Vector(x, y, 1).unit()), DEPTH);
                    }
                }
            });
            threads[number].start();
        }
        for (Thread one : threads) {
            one.join();
        }
        double sum = 0;
        for (Vector[] row : picture) {
            for (Vector one : row) {
                sum += one.x() + one.y() + one.z();
            }
        }
        System.out.printf("mean brightness %.4f%n", sum / (3.0 * width * height));
    }
}
