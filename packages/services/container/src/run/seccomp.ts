/**
 * System calls that a render needs: those that engines allow by themselves, without the ones for tracing, keys and devices,
 * and with `chroot`, `mount`, `umount2` and `pivot_root`, which the sandboxes of pages and of media use in user namespaces of
 * their own: outside of those a process without capabilities is refused them by the kernel.
 */
const ALLOWED = `
  accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown chroot clock_getres
  clock_gettime clock_nanosleep clone clone3 close close_range connect copy_file_range creat dup dup2 dup3
  epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd
  eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fanotify_mark fchdir fchmod
  fchmodat fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstatfs
  fsync ftruncate futex futimesat get_mempolicy get_robust_list get_thread_area getcpu getcwd getdents getdents64
  getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom
  getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid getxattr
  inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents io_setup
  io_submit ioctl ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset landlock_restrict_self
  lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr lseek lsetxattr lstat madvise mbind
  membarrier memfd_create memfd_secret mincore mkdir mkdirat mlock mlock2 mlockall mmap mount mprotect mq_getsetattr
  mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap msgctl msgget msgrcv msgsnd msync munlock
  munlockall munmap nanosleep newfstatat open openat openat2 pause personality pidfd_getfd pidfd_open
  pidfd_send_signal pipe pipe2 pivot_root pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv preadv2
  prlimit64 process_mrelease pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom
  recvmmsg recvmsg remap_file_pages removexattr rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction
  rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo
  sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
  sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
  select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto set_mempolicy set_robust_list
  set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid
  setresgid setresuid setreuid setrlimit setsid setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown
  sigaltstack signalfd signalfd4 socket socketpair splice stat statfs statx symlink symlinkat sync
  sync_file_range syncfs sysinfo tee tgkill time timer_create timer_delete timer_getoverrun timer_gettime
  timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill truncate umask umount2 uname unlink unlinkat
  unshare utime utimensat utimes vfork wait4 waitid write writev
`
  .trim()
  .split(/\s+/)

/** A call that is not in the list does not exist, as on an older kernel: programs then try another. */
const ENOSYS = 38

/** The filter of system calls, as engines read it: what is not allowed is refused, and user namespaces are allowed. */
export const seccompProfile = (): string =>
  JSON.stringify({
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: ENOSYS,
    // The second for engines that emulate the first.
    archMap: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'].map((architecture) => ({
      architecture,
      subArchitectures: [],
    })),
    syscalls: [{ names: ALLOWED, action: 'SCMP_ACT_ALLOW' }],
  })
