/** A call that is not in the list does not exist, as on an older kernel: programs then try another. */
const ENOSYS = 38

/** Values of the kernel's headers linux/audit.h, linux/seccomp.h and linux/filter.h. */
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_SET = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const REFUSE = 0x00050000
const KILL = 0x80000000
const NUMBER_OFFSET = 0
const ARCHITECTURE_OFFSET = 4
const FIRST_ARGUMENT_OFFSET = 16

/** Flags of `clone` that make namespaces. */
const NEW_NAMESPACES = 0x7e020080

/**
 * System calls that ffmpeg, its threads and its libraries make to read a file, to compute and to write what they have
 * decoded, with their numbers on x86-64 and on arm64. None opens a socket, traces, mounts, links or makes namespaces.
 */
const CALLS: readonly (readonly [string, number | undefined, number | undefined])[] = [
  ['read', 0, 63],
  ['write', 1, 64],
  ['open', 2, undefined],
  ['close', 3, 57],
  ['stat', 4, undefined],
  ['fstat', 5, 80],
  ['lstat', 6, undefined],
  ['poll', 7, undefined],
  ['lseek', 8, 62],
  ['mmap', 9, 222],
  ['mprotect', 10, 226],
  ['munmap', 11, 215],
  ['brk', 12, 214],
  ['rt_sigaction', 13, 134],
  ['rt_sigprocmask', 14, 135],
  ['rt_sigreturn', 15, 139],
  ['ioctl', 16, 29],
  ['pread64', 17, 67],
  ['pwrite64', 18, 68],
  ['readv', 19, 65],
  ['writev', 20, 66],
  ['access', 21, undefined],
  ['pipe', 22, undefined],
  ['select', 23, undefined],
  ['sched_yield', 24, 124],
  ['mremap', 25, 216],
  ['madvise', 28, 233],
  ['dup', 32, 23],
  ['dup2', 33, undefined],
  ['nanosleep', 35, 101],
  ['getpid', 39, 172],
  ['exit', 60, 93],
  ['wait4', 61, 260],
  ['uname', 63, 160],
  ['fcntl', 72, 25],
  ['ftruncate', 77, 46],
  ['getcwd', 79, 17],
  ['rename', 82, undefined],
  ['unlink', 87, undefined],
  ['readlink', 89, undefined],
  ['umask', 95, 166],
  ['gettimeofday', 96, 169],
  ['getrlimit', 97, 163],
  ['getrusage', 98, 165],
  ['sysinfo', 99, 179],
  ['times', 100, 153],
  ['getuid', 102, 174],
  ['getgid', 104, 176],
  ['geteuid', 107, 175],
  ['getegid', 108, 177],
  ['getppid', 110, 173],
  ['sigaltstack', 131, 132],
  ['arch_prctl', 158, undefined],
  ['gettid', 186, 178],
  ['time', 201, undefined],
  ['futex', 202, 98],
  ['sched_getaffinity', 204, 123],
  ['getdents64', 217, 61],
  ['set_tid_address', 218, 96],
  ['restart_syscall', 219, 128],
  ['fadvise64', 221, 223],
  ['clock_gettime', 228, 113],
  ['clock_getres', 229, 114],
  ['clock_nanosleep', 230, 115],
  ['exit_group', 231, 94],
  ['tgkill', 234, 131],
  ['openat', 257, 56],
  ['newfstatat', 262, 79],
  ['unlinkat', 263, 35],
  ['renameat', 264, 38],
  ['readlinkat', 267, 78],
  ['faccessat', 269, 48],
  ['pselect6', 270, 72],
  ['ppoll', 271, 73],
  ['set_robust_list', 273, 99],
  ['get_robust_list', 274, 100],
  ['dup3', 292, 24],
  ['pipe2', 293, 59],
  ['prlimit64', 302, 261],
  ['getcpu', 309, 168],
  ['renameat2', 316, 276],
  ['getrandom', 318, 278],
  ['membarrier', 324, 283],
  ['statx', 332, 291],
  ['rseq', 334, 293],
  ['futex_waitv', 449, 449],
  // To start the program itself.
  ['execve', 59, 221],
]

const CLONE = { x64: 56, arm64: 220 } as const

/** One instruction of the kernel's packet filter. */
const instruction = (code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}

/** The filter as bwrap reads it: calls that are not listed do not exist; undefined on other processors. */
export const systemCallFilter = (architecture: string = process.arch): Uint8Array | undefined => {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined
  const numbers = CALLS.flatMap(([, x64, arm64]) => (architecture === 'x64' ? x64 : arm64) ?? [])
  return Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE_OFFSET),
    instruction(JUMP_IF_EQUAL, ARCHITECTURES[architecture], 1, 0),
    instruction(RETURN, KILL),
    instruction(LOAD_WORD, NUMBER_OFFSET),
    ...numbers.flatMap((number) => [instruction(JUMP_IF_EQUAL, number, 0, 1), instruction(RETURN, ALLOW)]),
    // Threads are made by `clone`; a program that tries `clone3` first falls back to it.
    instruction(JUMP_IF_EQUAL, CLONE[architecture], 0, 3),
    instruction(LOAD_WORD, FIRST_ARGUMENT_OFFSET),
    instruction(JUMP_IF_SET, NEW_NAMESPACES, 1, 0),
    instruction(RETURN, ALLOW),
    instruction(RETURN, REFUSE | ENOSYS),
  ])
}
