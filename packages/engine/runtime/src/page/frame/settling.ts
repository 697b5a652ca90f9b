import type { Frames } from '../clock/frames.ts'
import type { Timers } from '../clock/timers.ts'
import type { LateLoads } from '../loads/late-loads.ts'
import { awaitResources, findOpenResources } from '../loads/resources.ts'
import type { Pending } from '../readiness/pending.ts'
import { nextTask, type Realm } from '../realm/natives.ts'
import type { Workers } from '../workers/workers.ts'

/** The parts that a frame may have to wait for. */
export interface SettlingParts {
  readonly realms: Iterable<Realm>
  readonly timers: Timers
  readonly frames: Frames
  readonly workers: Workers
  readonly pending: Pending
  readonly lateLoads: LateLoads
  readonly treesOf: (realm: Realm) => (Document | ShadowRoot)[]
}

/** Runs page code that a seek triggers; timers created meanwhile belong to this frame. */
export const inScope = <T>({ timers, frames }: Pick<SettlingParts, 'timers' | 'frames'>, call: () => T): T => {
  timers.scope = frames.scope = true
  try {
    return call()
  } finally {
    timers.scope = frames.scope = false
  }
}

/** Waits for everything that the frame has requested: promises, requests, images and fonts. */
export const settle = async ({
  realms,
  timers,
  frames,
  workers,
  pending,
  lateLoads,
  treesOf,
}: SettlingParts): Promise<void> => {
  await nextTask()
  for (;;) {
    await timers.runTasks()
    await workers.settle()
    const resources = findOpenResources(realms, treesOf)
    lateLoads.request(realms)
    const promises = [...pending.parts.keys()]
    if (!promises.length && !resources.fonts.length && !resources.images.length) return
    const isNamed = pending.named
    timers.scope = frames.scope = isNamed
    timers.release(isNamed ? 'scoped' : 'none')
    frames.release(isNamed ? 'scoped' : 'none')
    workers.eager = true
    await Promise.all([awaitResources(resources), ...promises])
    workers.eager = false
    timers.scope = frames.scope = false
    timers.release('none')
    frames.release('none')
    await nextTask()
  }
}
