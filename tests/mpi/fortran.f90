! SPDX-License-Identifier: Apache-2.0
! Messages and collective operations of a Fortran program: `use mpi`, or with -DF08=1 `use mpi_f08`. It writes down what
! must be recorded.
#if F08
#define COMM type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define ONE_STATUS
#define STATUSES(n) (n)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#else
#define COMM integer
#define REQUEST integer
#define STATUS integer
#define ONE_STATUS (MPI_STATUS_SIZE)
#define STATUSES(n) (MPI_STATUS_SIZE, n)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#endif

program fortran
#if F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: events = 10
  integer :: me, n, next, previous, ierror, i, which, done, indices(3)
  integer :: sent(4), came(4), many(4, 3), total, words(4)
  logical :: flag
  character(len=4096) :: folder
  character(len=16) :: number
  STATUS :: one ONE_STATUS, list STATUSES(3)
  REQUEST :: requests(3), request_one
  COMM :: copy

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  call get_command_argument(1, folder)
  write (number, '(i0)') me
  open (unit=events, file=trim(folder) // '/events-' // trim(number))
  next = mod(me + 1, n)
  previous = mod(me + n - 1, n)

  ! At once; the status, and none.
  do i = 0, 1
    sent = me * 10 + i
    if (mod(me, 2) == 0) call send(1, i)
    if (i == 0) then
      call MPI_Recv(came, 4, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, one, ierror)
      call check(SOURCE_OF(one) == previous .and. TAG_OF(one) == 1, 1)
    else
      call MPI_Recv(came, 4, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
    call check(came(4) == previous * 10 + i, 2)
    call told('recv', previous, me, 1, i, i == 1)
    if (mod(me, 2) == 1) call send(1, i)
  end do

  ! Arrays of requests and statuses.
  do i = 1, 3
    call MPI_Irecv(many(1, i), 4, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(i), ierror)
    call posted(previous, me, 2, i - 1)
  end do
  do i = 0, 2
    sent = 100 * me + i
    call send(2, i)
  end do
  call MPI_Waitall(3, requests, list, ierror)
  do i = 1, 3
    call check(many(2, i) == 100 * previous + i - 1 .and. requests(i) == MPI_REQUEST_NULL, 3)
    call told('complete', previous, me, 2, i - 1, .false.)
  end do

  ! Places in an array count from 1. (MPICH's own mpi_f08 forgets to.)
  requests(1) = MPI_REQUEST_NULL
  requests(3) = MPI_REQUEST_NULL
  call MPI_Irecv(came, 4, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, requests(2), ierror)
  call posted(previous, me, 3, 0)
  call MPI_Isend(sent, 4, MPI_INTEGER, next, 3, MPI_COMM_WORLD, request_one, ierror)
  call told('isend', me, next, 3, 0, .false.)
  call MPI_Waitany(3, requests, which, MPI_STATUS_IGNORE, ierror)
#if !(F08 && MPICH)
  call check(which == 2, 4)
#endif
  call told('complete', previous, me, 3, 0, .false.)
  call MPI_Wait(request_one, one, ierror)
  call told('complete', me, next, 3, 0, .false.)
  call MPI_Irecv(came, 4, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, requests(3), ierror)
  call posted(previous, me, 4, 0)
  call send(4, 0)
  done = 0
  do while (done == 0)
    call MPI_Testsome(3, requests, done, indices, MPI_STATUSES_IGNORE, ierror)
  end do
#if !(F08 && MPICH)
  call check(done == 1 .and. indices(1) == 3, 5)
#endif
  call told('complete', previous, me, 4, 0, .false.)

  ! Logicals.
  flag = .false.
  call send(5, 0)
  do while (.not. flag)
    call MPI_Iprobe(previous, 5, MPI_COMM_WORLD, flag, one, ierror)
  end do
  call told('probe', previous, me, 5, 0, .false.)
  call MPI_Recv(came, 4, MPI_INTEGER, previous, 5, MPI_COMM_WORLD, one, ierror)
  call told('recv', previous, me, 5, 0, .false.)

  ! Addresses that stand for something.
  total = me
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call check(total == n * (n - 1) / 2, 6)
  write (events, '(a,i0,a)') 'all-reduce world 0 value=', n, ' bytes=4'
  words = merge(42, 0, me == 0)
  call MPI_Bcast(words, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  call check(words(4) == 42, 7)
  write (events, '(a,i0,a)') merge('broadcast-root', 'broadcast-recv', me == 0) // ' world 1 value=', n, ' bytes=16'
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
  write (events, '(a,i0,a)') 'communicator world 2 value=', n, ' bytes=0'
  call MPI_Barrier(copy, ierror)
  write (events, '(a,i0)') 'barrier world.1 0 value=', n
  call MPI_Comm_free(copy, ierror)
  close (events)

  open (unit=events, file=trim(folder) // '/results-' // trim(number))
  write (events, '(a,i0)') 'sum ', total
  close (events)
  call MPI_Finalize(ierror)

contains

  subroutine check(good, place)
    logical, intent(in) :: good
    integer, intent(in) :: place

    if (good) return
    print *, 'rank', me, 'check', place
    call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
  end subroutine check

  subroutine send(tag, number)
    integer, intent(in) :: tag, number

    call MPI_Send(sent, 4, MPI_INTEGER, next, tag, MPI_COMM_WORLD, ierror)
    call told('send', me, next, tag, number, .false.)
  end subroutine send

  subroutine told(operation, from, to, tag, number, blind)
    character(len=*), intent(in) :: operation
    integer, intent(in) :: from, to, tag, number
    logical, intent(in) :: blind

    write (events, '(a,1x,i0,a,i0,a,i0,1x,i0,a)') operation, from, '>', to, ':', tag, number, &
      trim(merge(' bytes=16 blind', ' bytes=16      ', blind))
  end subroutine told

  subroutine posted(from, to, tag, number)
    integer, intent(in) :: from, to, tag, number

    write (events, '(a,i0,a,i0,a,i0,1x,i0)') 'irecv ', from, '>', to, ':', tag, number
  end subroutine posted

end program fortran
