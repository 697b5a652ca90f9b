import { MAX_GAIN } from '../document/playback.ts'
import type { Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'

/** The volumes of media elements, stored here because a browser allows at most 1. */
export interface Volumes {
  install(realm: Realm): void
  /** Gain as a script last set it, else as `data-volume` says, else 1. */
  of(element: Element): number
  /** Whether a script has set it. */
  isScripted(element: Element): boolean
}

const limit = (gain: number) => Math.min(Math.max(gain, 0), MAX_GAIN)

/** Makes `volume` of every media element a gain of up to `MAX_GAIN` that starts at `data-volume`. */
export const createVolumes = (): Volumes => {
  const scripted = new WeakMap<Element, number>()
  const of = (element: Element) => {
    const authored = element.getAttribute('data-volume')?.trim()
    const gain = scripted.get(element) ?? (authored ? Number(authored) : 1)
    return Number.isFinite(gain) ? limit(gain) : 1
  }
  return {
    of,
    isScripted: (element) => scripted.has(element),
    install(realm) {
      replaceAccessor(realm.HTMLMediaElement.prototype, 'volume', {
        get(this: HTMLMediaElement) {
          return of(this)
        },
        set(this: HTMLMediaElement, value: unknown) {
          const gain = Number(value)
          if (!Number.isFinite(gain))
            throw new realm.TypeError(`volume cannot be set to ${String(value)}: it is not finite`)
          // An easing that overshoots is limited instead of ending the script.
          scripted.set(this, limit(gain))
        },
      })
    },
  }
}
