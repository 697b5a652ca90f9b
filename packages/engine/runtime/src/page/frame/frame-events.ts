import { localTime, type TimeWindows } from '../document/windows.ts'
import type { Instances } from '../embedded/instances.ts'
import { SEEK_EVENTS } from '../embedded/scoped-window.ts'
import type { Pending } from '../readiness/pending.ts'
import type { Realm } from '../realm/natives.ts'

/** The parts that seek events are dispatched to. */
export interface SeekEventParts {
  readonly realm: Realm
  readonly instances: Instances
  readonly pending: Pending
  windows(): TimeWindows
}

/** Dispatches the seek events of a frame, to embedded compositions with their own time. */
export const dispatchSeek = (page: SeekEventParts, seconds: number, frame: number): void => {
  const waitUntil = (promise: Promise<unknown>) => page.pending.track(promise, `waitUntil of frame ${frame}`, true)
  const detail = { time: seconds, frame, waitUntil }
  const { windowOf } = page.windows()
  for (const type of SEEK_EVENTS) {
    page.realm.dispatchEvent(new CustomEvent(type, { detail }))
    for (const { host, seeks } of page.instances.list()) {
      const time = localTime(windowOf(host), seconds)
      if (time !== undefined) seeks.dispatchEvent(new CustomEvent(type, { detail: { ...detail, time } }))
    }
  }
}
