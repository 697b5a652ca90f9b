import { spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findProject } from '@vid/core'
import { inTempFolder, makeScratchFolder, removeAbandoned } from '@vid/system'
import { engineEnvironment } from '../engine/engine-call.ts'
import type { Engine } from '../engine/find-engine.ts'
import type { Image } from '../image/image.ts'
import { WORK_DIR } from '../order.ts'
import { sightMounts } from './mounts.ts'
import { containerName, removeContainer } from './owner.ts'
import { runArguments } from './run-arguments.ts'
import { seccompProfile } from './seccomp.ts'
import { secretMounts } from './secrets.ts'
import type { ContainerSettings } from './settings.ts'
import { chooseUser } from './user.ts'

/** What a shell in a container is opened with. */
export interface ShellOptions {
  readonly projectDir: string
  readonly settings: ContainerSettings
  readonly isTerminal: boolean
  readonly signal: AbortSignal
}

const PREFIX = 'vid-shell-'

/** The words that make the container of a shell; what it needs of files is written to `workDir`. */
const shellWords = async (
  engine: Engine,
  { projectDir: dir, settings, isTerminal }: ShellOptions,
  { name, workDir }: { readonly name: string; readonly workDir: string },
): Promise<readonly string[]> => {
  const user = chooseUser(engine, { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })
  const projectDir = await findProject(dir)
  const mounts = await sightMounts({ projectDir, config: undefined, more: settings.mounts })
  const seccomp = join(workDir, 'seccomp.json')
  await writeFile(seccomp, seccompProfile())
  const setup = runArguments(engine, {
    name,
    limits: settings,
    network: settings.network,
    userWords: user.words,
    env: [],
    mounts: [...mounts, ...(await secretMounts(mounts, [projectDir], workDir))],
    seccomp: settings.seccomp === 'engine' ? undefined : seccomp,
  })
  // What a render may write to is in memory here: nothing of a shell is kept.
  const work = `${WORK_DIR}:rw,nosuid,nodev,mode=1777,size=${settings.shm}`
  const terminal = isTerminal ? ['--tty'] : []
  return [...setup, '--tmpfs', work, '--interactive', ...terminal, '--entrypoint', '/bin/sh']
}

/** Opens a shell where a render of the project would run, and resolves to its exit code. */
export const openShell = async (engine: Engine, image: Image, options: ShellOptions): Promise<number> => {
  const { signal } = options
  const name = containerName()
  const workDir = await inTempFolder(async (temp) => {
    await removeAbandoned(temp, PREFIX)
    return makeScratchFolder(temp, PREFIX)
  })
  const stop = () => void removeContainer(engine, name)
  try {
    const words = await shellWords(engine, options, { name, workDir })
    signal.throwIfAborted()
    const child = spawn(engine.program, [...words, image.id], {
      env: engineEnvironment(engine.env),
      stdio: 'inherit',
    })
    signal.addEventListener('abort', stop, { once: true })
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
  }
}
