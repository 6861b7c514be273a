C SPDX-License-Identifier: Apache-2.0
C A program of the time of mpif.h: a ring of messages, a sum, and barriers.
      PROGRAM RING
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER ME, N, NEXT, PREV, I, IERR, TOTAL, ALL
      INTEGER REQ(2), STATS(MPI_STATUS_SIZE, 2), A(4), B(4)
      LOGICAL DONE
      CHARACTER*512 FOLDER
      CHARACTER*8 NUMBER
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, ME, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, N, IERR)
      CALL GETARG(1, FOLDER)
      WRITE (NUMBER, '(I0)') ME
      OPEN (10, FILE=TRIM(FOLDER) // '/events-' // TRIM(NUMBER))
      NEXT = MOD(ME + 1, N)
      PREV = MOD(ME + N - 1, N)
      DO 20 I = 0, 2
        A(1) = 10 * ME + I
        CALL MPI_IRECV(B, 4, MPI_INTEGER, PREV, 7, MPI_COMM_WORLD,
     &                 REQ(1), IERR)
        WRITE (10, 90) 'irecv ', PREV, ME, I, ' '
        CALL MPI_ISEND(A, 4, MPI_INTEGER, NEXT, 7, MPI_COMM_WORLD,
     &                 REQ(2), IERR)
        WRITE (10, 90) 'isend ', ME, NEXT, I, ' bytes=16'
        IF (I .LT. 2) THEN
          CALL MPI_WAITALL(2, REQ, STATS, IERR)
          IF (STATS(MPI_SOURCE, 1) .NE. PREV) GO TO 80
        ELSE
          DONE = .FALSE.
   10     CALL MPI_TESTALL(2, REQ, DONE, MPI_STATUSES_IGNORE, IERR)
          IF (.NOT. DONE) GO TO 10
        END IF
        IF (B(1) .NE. 10 * PREV + I) GO TO 80
        WRITE (10, 90) 'complete ', PREV, ME, I, ' bytes=16'
        WRITE (10, 90) 'complete ', ME, NEXT, I, ' bytes=16'
   20 CONTINUE
      TOTAL = ME
      CALL MPI_REDUCE(TOTAL, ALL, 1, MPI_INTEGER, MPI_SUM, 0,
     &                MPI_COMM_WORLD, IERR)
      IF (ME .EQ. 0) THEN
        IF (ALL .NE. N * (N - 1) / 2) GO TO 80
        WRITE (10, 91) 'reduce-root', N
      ELSE
        WRITE (10, 91) 'reduce', N
      END IF
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      WRITE (10, '(A,I0)') 'barrier world 0 value=', N
#if MPICH
      CALL MPI_BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, REQ, IERR)
#else
      CALL MPIX_BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, REQ, IERR)
#endif
      DO 30 I = 0, 1
        CALL MPI_START(REQ, IERR)
        WRITE (10, 92) 'ibarrier', I, N
        CALL MPI_WAIT(REQ, STATS, IERR)
        WRITE (10, 92) 'finish-all', I, N
   30 CONTINUE
      CALL MPI_REQUEST_FREE(REQ, IERR)
      CLOSE (10)
      OPEN (10, FILE=TRIM(FOLDER) // '/results-' // TRIM(NUMBER))
      WRITE (10, '(A)') 'good'
      CLOSE (10)
      CALL MPI_FINALIZE(IERR)
      STOP
   80 WRITE (*, *) 'rank ', ME, ': wrong in round ', I
      CALL MPI_ABORT(MPI_COMM_WORLD, 3, IERR)
   90 FORMAT (A, I0, '>', I0, ':7 ', I0, A)
   92 FORMAT (A, ' world/persistent.1 ', I0, ' value=', I0)
   91 FORMAT (A, ' world 0 value=', I0, ' bytes=4')
      END
