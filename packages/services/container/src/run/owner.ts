import { hasOwnerEnded, scratchName } from '@vid/system'
import { callEngine } from '../engine/engine-call.ts'
import type { Engine } from '../engine/find-engine.ts'

const PREFIX = 'vid-render-'

/** Label of every container of a render. */
export const RENDER_LABEL = 'dev.vid.render'

/** A name for a container that says which process of which machine has started it, and when that began. */
export const containerName = (): string => scratchName(PREFIX)

/** Stops and removes a container; it does not matter whether there still is one. */
export const removeContainer = async (engine: Engine, name: string): Promise<void> => {
  const force = engine.kind === 'podman' ? ['--force', '--time', '0'] : ['--force']
  await callEngine(engine, ['rm', ...force, '--volumes', name]).catch(() => undefined)
}

/** Removes the containers of renders whose process has ended without doing so; it never fails, since it only tidies up. */
export const removeLeft = async (engine: Engine, signal: AbortSignal): Promise<void> => {
  const args = ['ps', '--all', '--filter', `label=${RENDER_LABEL}`, '--format', '{{.Names}}']
  const answer = await callEngine(engine, args, { signal }).catch(() => undefined)
  const names = (answer?.stdout ?? '').split('\n').map((name) => name.trim())
  for (const name of names) if (hasOwnerEnded(name, PREFIX)) await removeContainer(engine, name)
}
