import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import mpi.*;

/*
 * NBody: a cluster of stars under its own gravity. Every rank moves its share of the stars; before each step Allgather
 * gives everybody all positions. The step is leapfrog, which keeps the energy.
 *
 *   ./mpjrun -np 4 examples/NBody.java [stars [steps]]
 *
 *   1000 stars, 100 steps: energy -0.5381 changed by 0.0000 %, momentum 8.4e-19 ok
 */
public class NBody {
    private static final double TIME_STEP = 0.002;
    /** Softening length, squared: no force is infinite. */
    private static final double SOFTENING = 0.01;

    public static void main(String[] args) {
        String[] user = MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int stars = user.length > 0 ? Integer.parseInt(user[0]) : 1000;
        int steps = user.length > 1 ? Integer.parseInt(user[1]) : 100;

        // Equal shares for Allgather; what is too much at the end has no mass.
        int share = (stars + size - 1) / size;
        int first = rank * share;
        double mass = 1.0 / stars;
        double[] all = new double[3 * share * size];
        double[] position = new double[3 * share];
        double[] velocity = new double[3 * share];
        double[] force = new double[3 * share];
        place(stars, first, position, velocity);

        MPI.COMM_WORLD.Allgather(position, 0, 3 * share, MPI.DOUBLE, all, 0, 3 * share, MPI.DOUBLE);
        double potential = attract(all, stars, first, mass, force);
        double[] start = totals(velocity, stars - first, mass, potential);
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < position.length; i++) {
                velocity[i] += 0.5 * TIME_STEP * force[i];
                position[i] += TIME_STEP * velocity[i];
            }
            MPI.COMM_WORLD.Allgather(position, 0, 3 * share, MPI.DOUBLE, all, 0, 3 * share, MPI.DOUBLE);
            potential = attract(all, stars, first, mass, force);
            for (int i = 0; i < velocity.length; i++) {
                velocity[i] += 0.5 * TIME_STEP * force[i];
            }
        }
        double[] end = totals(velocity, stars - first, mass, potential);

        if (rank == 0) {
            double drift = Math.abs(end[0] / start[0] - 1);
            double momentum = Math.abs(end[1]) + Math.abs(end[2]) + Math.abs(end[3]);
            boolean right = drift < 1e-3 && momentum < 1e-9;
            System.out.println(String.format(
                    Locale.ROOT,
                    "%d stars, %d steps: energy %.4f changed by %.4f %%, momentum %.1e %s",
                    stars,
                    steps,
                    end[0],
                    100 * drift,
                    momentum,
                    right ? "ok" : "WRONG"));
            if (!right) {
                throw new IllegalStateException("energy or momentum was not kept");
            }
        }
        MPI.Finalize();
    }

    /** Stars at random in a ball, at rest in total: each has a twin on the other side that moves the other way. */
    private static void place(int stars, int first, double[] position, double[] velocity) {
        for (int i = 0; i < position.length / 3 && first + i < stars; i++) {
            int star = first + i;
            boolean twin = star % 2 == 1;
            // The odd star out stands still in the middle.
            boolean alone = !twin && star + 1 == stars;
            SplittableRandom random = new SplittableRandom(star / 2);
            double sign = alone ? 0 : twin ? -1 : 1;
            double[] point = new double[3];
            do {
                Arrays.setAll(point, axis -> random.nextDouble(-1, 1));
            } while (point[0] * point[0] + point[1] * point[1] + point[2] * point[2] > 1);
            double[] speed = {-0.5 * point[1], 0.5 * point[0], random.nextDouble(-0.1, 0.1)};
            for (int axis = 0; axis < 3; axis++) {
                position[3 * i + axis] = sign * point[axis];
                velocity[3 * i + axis] = sign * speed[axis];
            }
        }
    }

    /** The acceleration of the own stars by all; returns their share of the potential energy. */
    private static double attract(double[] all, int stars, int first, double mass, double[] force) {
        Arrays.fill(force, 0);
        double potential = 0;
        for (int i = 0; i < force.length / 3 && first + i < stars; i++) {
            int own = 3 * (first + i);
            for (int other = 0; other < 3 * stars; other += 3) {
                if (other == own) {
                    continue;
                }
                double dx = all[other] - all[own];
                double dy = all[other + 1] - all[own + 1];
                double dz = all[other + 2] - all[own + 2];
                double inverse = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
                double factor = mass * inverse * inverse * inverse;
                force[3 * i] += factor * dx;
                force[3 * i + 1] += factor * dy;
                force[3 * i + 2] += factor * dz;
                potential -= 0.5 * mass * mass * inverse;
            }
        }
        return potential;
    }

    /** Energy and the three components of the momentum of all stars, at rank 0. */
    private static double[] totals(double[] velocity, int ownStars, double mass, double potential) {
        double[] mine = {potential, 0, 0, 0};
        for (int i = 0; i < velocity.length / 3 && i < ownStars; i++) {
            for (int axis = 0; axis < 3; axis++) {
                double v = velocity[3 * i + axis];
                mine[0] += 0.5 * mass * v * v;
                mine[1 + axis] += mass * v;
            }
        }
        double[] total = new double[4];
        MPI.COMM_WORLD.Reduce(mine, 0, total, 0, 4, MPI.DOUBLE, MPI.SUM, 0);
        return total;
    }
}
