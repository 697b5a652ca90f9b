import type { Engine } from '../engine/find-engine.ts'
import { WORK_DIR } from '../order.ts'
import { type ContainerLimits, limitArguments } from './limits.ts'
import { type Mount, mountArguments } from './mounts.ts'
import { RENDER_LABEL } from './owner.ts'

/** Bytes of the small folder for temporary files that is in memory. */
const TMP_BYTES = 64 * 1024 * 1024

/** Variables of the caller that affect a render and are passed to the container as well. */
const PASSED = ['VID_SANDBOX']

/** What one container is. */
export interface RunSetup {
  readonly name: string
  readonly limits: ContainerLimits
  readonly network: 'none' | 'bridge'
  readonly mounts: readonly Mount[]
  /** Words that choose the user inside. */
  readonly userWords: readonly string[]
  /** Absolute path of the filter of system calls; undefined for the engine's own. */
  readonly seccomp: string | undefined
  /** Names of variables of the caller that the container gets too. */
  readonly env: readonly string[]
}

/** The words that make a container, up to its image: nothing of a composition is among them. */
export const runArguments = (engine: Engine, setup: RunSetup): readonly string[] => {
  const { name, limits, network, mounts, userWords, seccomp, env } = setup
  const envNames = [...env, ...PASSED.filter((name) => engine.env[name] !== undefined)]
  return [
    'run',
    '--rm',
    '--pull',
    'never',
    '--platform',
    'linux/amd64',
    '--name',
    name,
    '--label',
    `${RENDER_LABEL}=${name}`,
    '--hostname',
    'vid',
    '--log-driver',
    'none',
    '--network',
    network,
    '--ipc',
    'private',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    // Without it, systems with SELinux let a container read no file of the user.
    '--security-opt',
    'label=disable',
    ...(seccomp === undefined ? [] : ['--security-opt', `seccomp=${seccomp}`]),
    '--read-only',
    ...(engine.kind === 'podman' ? ['--read-only-tmpfs=false', '--http-proxy=false'] : []),
    '--tmpfs',
    `/tmp:rw,nosuid,nodev,mode=1777,size=${TMP_BYTES}`,
    ...limitArguments(limits, engine),
    ...userWords,
    '--env',
    `HOME=${WORK_DIR}/home`,
    '--env',
    `TMPDIR=${WORK_DIR}/tmp`,
    '--env',
    `VID_CACHE_DIR=${WORK_DIR}/cache`,
    ...envNames.flatMap((name) => ['--env', name]),
    ...mountArguments(mounts),
    '--workdir',
    WORK_DIR,
  ]
}
