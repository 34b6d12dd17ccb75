/** As a user of 2005 wrote it: no package, no import. */
public class PingPong {
    public static void main(String[] args) {
        MPJ.Init(args);
        int rank = MPJ.COMM_WORLD.Rank();
        double[] ball = new double[1000];
        for (int loop = 0; loop < 25; loop++) {
            if (rank == 0) {
                ball[999] = loop;
                MPJ.COMM_WORLD.Send(ball, 0, 1000, MPJ.DOUBLE, 1, 10);
                Status status = MPJ.COMM_WORLD.Recv(ball, 0, 1000, MPJ.DOUBLE, 1, 11);
                if (ball[999] != loop + 1 || status.Get_count(MPJ.DOUBLE) != 1000) {
                    throw new MPJException("the ball came back wrong: " + status);
                }
            } else if (rank == 1) {
                Request request = MPJ.COMM_WORLD.IRecv(ball, 0, 1000, MPJ.DOUBLE, MPJ.ANY_SOURCE, MPJ.ANY_TAG);
                request.Wait();
                ball[999]++;
                MPJ.COMM_WORLD.send(ball, 0, 1000, MPJ.DOUBLE, 0, 11);
            }
        }
        DataLoc[] most = {new DataLoc()};
        MPJ.COMM_WORLD.Reduce(new int[] {rank}, 0, most, 0, 1, MPJ.INT, MPJ.MAXLOC, 0);
        if (rank == 0 && most[0].loc != MPJ.COMM_WORLD.Size() - 1) {
            throw new MPJException("MAXLOC found " + most[0]);
        }
        MPJ.Finalize();
    }
}
