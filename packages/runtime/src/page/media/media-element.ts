import type { Clock } from '../clock/clock.ts'
import { nativeAccessor, natives, type Realm } from '../natives.ts'
import { replaceAccessor, replaceMethod } from '../replace.ts'
import type { Media } from './media.ts'
import { readPlayback } from './media-source.ts'

const HAVE_ENOUGH_DATA = 4
const NETWORK_IDLE = 1

/** What the browser says about loads that never happen: frames come from elsewhere. */
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

/** Makes media elements answer scripts as if they had loaded and followed the clock; the browser plays nothing. */
export const installMediaElements = (realm: Realm, media: Media, clock: Clock): void => {
  const proto = realm.HTMLMediaElement.prototype
  const playing = new WeakMap<HTMLMediaElement, boolean>()

  for (const type of NATIVE_EVENTS)
    natives.listen.call(
      realm,
      type,
      (event) => {
        const { target } = event
        const isMedia = target instanceof realm.HTMLMediaElement || target instanceof realm.HTMLSourceElement
        if (event.isTrusted && isMedia) event.stopImmediatePropagation()
      },
      true,
    )

  /** Answers with `read` once the source is known, and like the browser until then. */
  const answer = <K extends keyof HTMLMediaElement & string>(
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
  answer(proto, 'duration', (_, { duration }) => duration)
  answer(proto, 'readyState', () => HAVE_ENOUGH_DATA)
  answer(proto, 'networkState', () => NETWORK_IDLE)
  answer(proto, 'error', () => null)
  answer(proto, 'seeking', () => false)
  answer(proto, 'currentTime', (element, { duration }) => positionOf(element, media, clock, duration))
  answer(
    proto,
    'ended',
    (element, { duration }) => !element.loop && positionOf(element, media, clock, duration) >= duration,
  )
  answer(realm.HTMLVideoElement.prototype, 'videoWidth', (_, { width }) => width)
  answer(realm.HTMLVideoElement.prototype, 'videoHeight', (_, { height }) => height)
  // The clock alone says where an element is.
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
