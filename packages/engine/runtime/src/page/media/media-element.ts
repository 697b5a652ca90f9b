import type { Clock } from '../clock/clock.ts'
import { readPlayback } from '../document/playback.ts'
import type { Shadows } from '../document/shadows.ts'
import { nativeAccessor, natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import type { Media } from './media.ts'

const HAVE_ENOUGH_DATA = 4
const NETWORK_IDLE = 1

/** Events of the browser's own loading, which never happens, since frames come from vid. */
const NATIVE_EVENTS = ['loadstart', 'progress', 'suspend', 'abort', 'error', 'emptied', 'stalled', 'waiting']

/** Seconds into the source that an element shows now. */
const positionOf = (element: HTMLMediaElement, media: Media, clock: Clock, length: number): number => {
  const { mediaStart, rate } = readPlayback(element)
  const { start, end } = media.windowOf(element)
  const played = Math.max(0, Math.min(clock.nowMs / 1000, end) - start) * rate
  const available = length - mediaStart
  if (available <= 0) return length
  return mediaStart + (element.loop ? (played + 1e-7) % available : Math.min(played, available))
}

/** What media elements are installed with. */
export interface MediaElementParts {
  readonly media: Media
  readonly clock: Clock
  readonly shadows: Pick<Shadows, 'onTree'>
}

/** Hides from scripts what the browser says of its own loading. */
const stopNativeEvents = (realm: Realm, shadows: MediaElementParts['shadows']): void => {
  const stop = (event: Event) => {
    const { target } = event
    const isMedia = target instanceof realm.HTMLMediaElement || target instanceof realm.HTMLSourceElement
    if (event.isTrusted && isMedia) event.stopImmediatePropagation()
  }
  const stopIn = (place: EventTarget) => {
    for (const type of NATIVE_EVENTS) natives.listen.call(place, type, stop, true)
  }
  stopIn(realm)
  // These events never leave a shadow tree.
  shadows.onTree((tree) => {
    if (tree.ownerDocument === realm.document) stopIn(tree)
  })
}

/** Makes media elements appear to scripts as loaded and following the clock; the browser itself plays nothing. */
export const installMediaElements = (realm: Realm, { media, clock, shadows }: MediaElementParts): void => {
  const proto = realm.HTMLMediaElement.prototype
  const playing = new WeakMap<HTMLMediaElement, boolean>()

  stopNativeEvents(realm, shadows)

  /** Reads a property from the facts of the source once these are known, and from the browser until then. */
  const define = <K extends keyof HTMLMediaElement & string>(
    owner: object,
    key: K | 'videoWidth' | 'videoHeight',
    read: (element: HTMLMediaElement, facts: NonNullable<ReturnType<Media['factsOf']>>) => unknown,
  ) => {
    const native = nativeAccessor(owner, key)
    replaceAccessor(owner as HTMLVideoElement, key, {
      get(this: HTMLMediaElement) {
        const facts = media.factsOf(this)
        return facts ? read(this, facts) : native.get.call(this)
      },
    })
  }
  define(proto, 'duration', (_, { duration }) => duration)
  define(proto, 'readyState', () => HAVE_ENOUGH_DATA)
  define(proto, 'networkState', () => NETWORK_IDLE)
  define(proto, 'error', () => null)
  define(proto, 'seeking', () => false)
  define(proto, 'currentTime', (element, { duration }) => positionOf(element, media, clock, duration))
  define(
    proto,
    'ended',
    (element, { duration }) => !element.loop && positionOf(element, media, clock, duration) >= duration,
  )
  define(realm.HTMLVideoElement.prototype, 'videoWidth', (_, { width }) => width)
  define(realm.HTMLVideoElement.prototype, 'videoHeight', (_, { height }) => height)
  // Only the clock advances an element.
  replaceAccessor(proto, 'currentTime', { set() {} })
  replaceAccessor(proto, 'paused', {
    get(this: HTMLMediaElement) {
      return !(playing.get(this) ?? this.autoplay)
    },
  })
  const change = (element: HTMLMediaElement, plays: boolean, types: readonly string[]) => {
    if (element.paused !== plays) return
    playing.set(element, plays)
    for (const type of types) natives.dispatch.call(element, new realm.Event(type))
  }
  replaceMethod(proto, 'play', async function (this: HTMLMediaElement) {
    change(this, true, ['play', 'playing'])
  })
  replaceMethod(proto, 'pause', function (this: HTMLMediaElement) {
    change(this, false, ['pause'])
  })
  replaceMethod(proto, 'load', () => {})
}
