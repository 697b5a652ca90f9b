import { readFileSync } from 'node:fs'
import { withDefault } from '@vid/kernel'
import { type Static, Type } from '@vid/protocol'
import type { EngineFacts } from '../engine/engine-facts.ts'

const MB = 1024 * 1024
const GB = 1024 * MB

/** Memory that the machine keeps for everything else. */
const KEPT_SHARE = 4

const size = (least: number, about: string) => Type.Integer({ minimum: least, description: about })

/** What a container may take, as options of the target. */
export const limitOptions = {
  /** Memory, in bytes; three quarters of the machine's if left out. Swap is not used. */
  memory: Type.Optional(size(512 * MB, 'bytes of memory')),
  /** Cores, also a fraction; all if left out. */
  cpus: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  /** Processes and threads. */
  pids: withDefault(Type.Integer({ minimum: 64 }), 2048),
  /** Shared memory of the browser (/dev/shm), in bytes; part of the memory. */
  shm: withDefault(size(64 * MB, 'bytes of shared memory'), GB),
  /** What the container may write, scratch files and results together, in bytes. */
  disk: withDefault(size(64 * MB, 'bytes written'), 20 * GB),
}

const LimitSchema = Type.Object(limitOptions)

/** What a container may take. */
export type ContainerLimits = Static<typeof LimitSchema>

/** Memory that a container may take on the machine of an engine, in bytes. */
export const memoryOf = ({ memory }: Pick<ContainerLimits, 'memory'>, { memoryBytes }: EngineFacts): number =>
  memory ?? Math.floor(memoryBytes - memoryBytes / KEPT_SHARE)

/** Open files that a container may have. */
const MAX_FILES = 65_536

/** Processes of one user on the whole machine, those of others under the same id included. */
const MAX_TASKS = 32_768

/** The highest limit that this process may set, by its name in `/proc/self/limits`; undefined without one. */
const hardLimit = (name: string): number | undefined => {
  try {
    const text = readFileSync('/proc/self/limits', 'utf8')
    const [, limit] = new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(text) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/** Podman is a child of this process: what it may not set itself, it cannot give to a container. */
const inheritedLimits = ({ kind }: EngineFacts): readonly string[] => {
  if (kind !== 'podman') return []
  const files = Math.min(hardLimit('Max open files') ?? MAX_FILES, MAX_FILES)
  const tasks = Math.min(hardLimit('Max processes') ?? MAX_TASKS, MAX_TASKS)
  return ['--ulimit', `nofile=${files}:${files}`, '--ulimit', `nproc=${tasks}:${tasks}`]
}

/** The words of an engine that set the limits. */
export const limitArguments = (limits: ContainerLimits, engine: EngineFacts): readonly string[] => {
  const memory = memoryOf(limits, engine)
  const { cpus, pids, shm, disk } = limits
  return [
    // As much with swap as without: none.
    '--memory',
    String(memory),
    '--memory-swap',
    String(memory),
    ...(cpus === undefined ? [] : ['--cpus', String(Math.min(cpus, engine.cores))]),
    '--pids-limit',
    String(pids),
    '--shm-size',
    String(Math.min(shm, memory)),
    '--ulimit',
    `fsize=${disk}:${disk}`,
    '--ulimit',
    'core=0:0',
    ...inheritedLimits(engine),
  ]
}
