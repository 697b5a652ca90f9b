import { spawn } from 'node:child_process'
import { engineEnvironment } from '../engine/engine-call.ts'
import type { Engine } from '../engine/find-engine.ts'
import type { Image } from '../image/image.ts'
import { ROOM } from '../order.ts'
import { readOnlyMounts } from './mounts.ts'
import { containerName, removeContainer } from './owner.ts'
import type { ContainerSettings } from './settings.ts'
import { chooseUser } from './user.ts'
import { wallArguments } from './wall-arguments.ts'

/** What a shell in a container is opened with. */
export interface ShellOptions {
  readonly projectDir: string
  readonly settings: ContainerSettings
  readonly isTerminal: boolean
  readonly signal: AbortSignal
}

/** Opens a shell where a render of the project would run, and resolves to its exit code. */
export const openShell = async (engine: Engine, image: Image, options: ShellOptions): Promise<number> => {
  const { projectDir, settings, isTerminal, signal } = options
  const name = containerName()
  const user = chooseUser(engine, { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 })
  // What a render may write to is in memory here: nothing of a shell is kept.
  const room = `${ROOM}:rw,nosuid,nodev,mode=1777,size=${settings.shm}`
  const walls = wallArguments(engine, {
    ...{ name, limits: settings, network: settings.network, userWords: user.words },
    mounts: await readOnlyMounts({ projectDir, config: undefined, more: settings.mounts }),
    ...{ seccomp: undefined, env: [] },
  })
  const shell = [
    '--tmpfs',
    room,
    '--interactive',
    ...(isTerminal ? ['--tty'] : []),
    '--entrypoint',
    '/bin/sh',
  ]
  signal.throwIfAborted()
  const child = spawn(engine.program, [...walls, ...shell, image.id], {
    env: engineEnvironment(engine.env),
    stdio: 'inherit',
  })
  const stop = () => void removeContainer(engine, name)
  signal.addEventListener('abort', stop, { once: true })
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  }).finally(() => signal.removeEventListener('abort', stop))
}
