import type { Realm } from '../natives.ts'
import { replaceAccessor } from '../replace.ts'

/** The loudest gain: +12 dB. */
const MAX_GAIN = 3.98

/** The volumes of media elements, kept here because a browser allows none above 1. */
export interface Volumes {
  install(realm: Realm): void
  /** Gain as a script last set it, else as `data-volume` says, else 1. */
  of(element: Element): number
}

const limit = (gain: number) => Math.min(Math.max(gain, 0), MAX_GAIN)

/** Makes `volume` of every media element a gain up to 3.98 that starts at `data-volume`. */
export const createVolumes = (): Volumes => {
  const given = new WeakMap<Element, number>()
  const of = (element: Element) => {
    const authored = element.getAttribute('data-volume')?.trim()
    const gain = given.get(element) ?? (authored ? Number(authored) : 1)
    return Number.isFinite(gain) ? limit(gain) : 1
  }
  return {
    of,
    install(realm) {
      replaceAccessor(realm.HTMLMediaElement.prototype, 'volume', {
        get(this: HTMLMediaElement) {
          return of(this)
        },
        set(this: HTMLMediaElement, value: unknown) {
          const gain = Number(value)
          if (!Number.isFinite(gain))
            throw new realm.TypeError(`volume cannot be set to ${String(value)}: it is not finite`)
          // An easing that overshoots is held at the edge instead of ending the script.
          given.set(this, limit(gain))
        },
      })
    },
  }
}
