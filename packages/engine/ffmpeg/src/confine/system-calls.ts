import { ALLOWED_CALLS } from './allowed-calls.ts'

/** A call that is not in the list does not exist, as on an older kernel: programs then try another. */
const ENOSYS = 38
/** An operation of a call that is not in the list is none, as on an older kernel. */
const EINVAL = 22

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

const CLONE = { x64: 56, arm64: 220 } as const
const PRCTL = { x64: 157, arm64: 167 } as const

/** Operations of `prctl` by which a program names itself and its memory, and asks what it may do. */
const PROCESS_OPERATIONS = {
  PR_SET_PDEATHSIG: 1,
  PR_GET_PDEATHSIG: 2,
  PR_GET_DUMPABLE: 3,
  PR_SET_DUMPABLE: 4,
  PR_GET_KEEPCAPS: 7,
  PR_SET_NAME: 15,
  PR_GET_NAME: 16,
  PR_GET_SECCOMP: 21,
  PR_CAPBSET_READ: 23,
  PR_GET_SECUREBITS: 27,
  PR_SET_TIMERSLACK: 29,
  PR_GET_TIMERSLACK: 30,
  PR_GET_NO_NEW_PRIVS: 39,
  PR_GET_THP_DISABLE: 42,
  PR_SET_VMA: 0x53564d41,
} as const

/** One instruction of the kernel's packet filter. */
const instruction = (code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}

/** Allows what was loaded last where it is one of some values. */
const allowing = (values: readonly number[]): readonly Buffer[] =>
  values.flatMap((value) => [instruction(JUMP_IF_EQUAL, value, 0, 1), instruction(RETURN, ALLOW)])

/** Judges a call by its first argument; any other call goes on behind the rules. */
const byArgument = (call: number, rules: readonly Buffer[]): readonly Buffer[] => [
  instruction(JUMP_IF_EQUAL, call, 0, rules.length + 1),
  instruction(LOAD_WORD, FIRST_ARGUMENT_OFFSET),
  ...rules,
]

/** The filter as bwrap reads it: calls that are not listed do not exist; undefined on other processors. */
export const systemCallFilter = (architecture: string = process.arch): Uint8Array | undefined => {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined
  const numbers = ALLOWED_CALLS.flatMap(([, x64, arm64]) => (architecture === 'x64' ? x64 : arm64) ?? [])
  return Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE_OFFSET),
    instruction(JUMP_IF_EQUAL, ARCHITECTURES[architecture], 1, 0),
    instruction(RETURN, KILL),
    instruction(LOAD_WORD, NUMBER_OFFSET),
    ...allowing(numbers),
    ...byArgument(PRCTL[architecture], [
      ...allowing(Object.values(PROCESS_OPERATIONS)),
      instruction(RETURN, REFUSE | EINVAL),
    ]),
    // Threads are made by `clone`; a program that tries `clone3` first falls back to it.
    ...byArgument(CLONE[architecture], [instruction(JUMP_IF_SET, NEW_NAMESPACES, 1, 0), instruction(RETURN, ALLOW)]),
    instruction(RETURN, REFUSE | ENOSYS),
  ])
}
