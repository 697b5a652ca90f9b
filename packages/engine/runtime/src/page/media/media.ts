import { gainAtTime } from '../../contract/gain-envelope.ts'
import type { MediaFacts, PageMedia } from '../../contract/media.ts'
import type { Clock } from '../clock/clock.ts'
import { chainOf } from '../document/flat-tree.ts'
import { readPlayback } from '../document/playback.ts'
import type { TimeWindow, TimeWindows } from '../document/windows.ts'
import { isIncluded, windowsAround } from '../document/windows-around.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { sourcesOf } from './media-source.ts'
import { envelopeOf, soundAttributesOf } from './sound-envelope.ts'
import type { Volumes } from './volume.ts'

/** The size that browsers give a video of unknown size. */
const UNKNOWN_SIZE = { width: 300, height: 150 }

/** The media elements of the page and the facts of their sources. */
export interface Media {
  /** Sources without facts so far. */
  unknown(): string[]
  /** Sets facts, and lets the elements dispatch the events of loading. */
  setFacts(facts: Readonly<Record<string, MediaFacts | null>>): void
  /** The facts of an element's source; undefined if there are none. */
  factsOf(element: HTMLMediaElement): MediaFacts | undefined
  /** The window that an element plays in: its own, or that of the nearest timed element around it. */
  windowOf(element: HTMLMediaElement): TimeWindow
  /** All media elements of a composition of a length in seconds, in document order; this call fixes their ids. */
  list(length: number): PageMedia[]
  elementOf(id: string): HTMLMediaElement | undefined
  /** The id under which an element was listed; undefined for any other. */
  idOf(element: Element): string | undefined
  /** Start tags of elements that play a sound and have no `data-start`, so that the sound is left out. */
  unheard(): string[]
  /** Gain of each listed element at the time of the page. */
  gains(): number[]
}

const LOADED = ['loadstart', 'durationchange', 'loadedmetadata', 'loadeddata', 'canplay', 'canplaythrough']

const WHOLE: TimeWindow = { start: 0, end: Infinity }

/** Whether a script in the page's own text may mute or unmute an element. */
const scriptsMute = () => [...document.scripts].some(({ text }) => /\bmuted\b/.test(text))

/** An empty picture with the size of the video, so that its box is the same before, in and after its window. */
const emptyPicture = ({ width, height }: Pick<MediaFacts, 'width' | 'height'>) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`)}`

/** The time in which all ancestors of an element are shown. */
const ancestorsWindow = (element: Element, { of }: TimeWindows): TimeWindow => {
  let { start, end } = WHOLE
  for (const ancestor of chainOf(element).slice(1)) {
    const window = of.get(ancestor)
    if (window) [start, end] = [Math.max(start, window.start), Math.min(end, window.end)]
  }
  return { start, end }
}

/** What media elements are found and heard by. */
export interface MediaParts {
  readonly realm: Realm
  readonly clock: Pick<Clock, 'nowMs'>
  readonly volumes: Volumes
  /** The elements of the document and its shadow trees that match a selector. */
  find(selector: string): Element[]
  windows(): TimeWindows
  onFacts(): void
}

/** Finds media elements in a window's document and its shadow trees. */
export const createMedia = ({ realm, clock, volumes, find, windows, onFacts }: MediaParts): Media => {
  const factsBySource = new Map<string, MediaFacts | null>()
  const announced = new WeakMap<HTMLMediaElement, string>()
  const byId = new Map<string, HTMLMediaElement>()
  const mediaElements = () => find('video,audio') as HTMLMediaElement[]

  const sourceOf = (element: HTMLMediaElement) => {
    const sources = sourcesOf(element)
    return sources.find((src) => factsBySource.get(src)) ?? sources[0]
  }
  const factsOf = (element: HTMLMediaElement) => factsBySource.get(sourceOf(element) ?? '') ?? undefined

  const announce = (element: HTMLMediaElement) => {
    const src = sourceOf(element)
    const facts = factsBySource.get(src ?? '')
    if (src === undefined || facts === undefined || announced.get(element) === src) return
    announced.set(element, src)
    if (element instanceof realm.HTMLVideoElement) {
      if (facts?.width) element.poster = emptyPicture(facts)
      // Without any poster, a video that cannot play is black where the page is captured as an element.
      else if (!element.poster) element.poster = emptyPicture(UNKNOWN_SIZE)
    }
    for (const type of facts ? LOADED : ['error']) natives.dispatch.call(element, new realm.Event(type))
  }

  const windowOf = (element: HTMLMediaElement): TimeWindow => {
    const { of } = windows()
    return windowsAround(element, { of })[0] ?? WHOLE
  }

  let compositionLength = Infinity
  const isMixed = (element: HTMLMediaElement) =>
    element.hasAttribute('data-start') && !element.muted && isIncluded(element) && sourcesOf(element).length > 0
  const heardWindow = (element: HTMLMediaElement): TimeWindow => {
    const window = windowOf(element)
    const around = ancestorsWindow(element, windows())
    return { start: Math.max(window.start, around.start), end: Math.min(window.end, around.end, compositionLength) }
  }
  const envelope = (element: HTMLMediaElement) =>
    envelopeOf(element, { heard: () => mediaElements().filter(isMixed), heardWindow, isScripted: volumes.isScripted })
  const gainOf = (element: HTMLMediaElement) => (element.muted ? 0 : volumes.of(element))
  const gainNow = (element: HTMLMediaElement) => {
    const { start } = windowOf(element)
    const { start: heardFrom, end } = heardWindow(element)
    return gainAtTime(envelope(element) ?? {}, { start, end, heardFrom }, gainOf(element), clock.nowMs / 1000)
  }

  const describe = (element: HTMLMediaElement, id: string, src: string, mayUnmute: boolean): PageMedia => {
    const { start, end } = windowOf(element)
    const around = ancestorsWindow(element, windows())
    const hasAudio = element.getAttribute('data-has-audio')
    const isTimed = element.hasAttribute('data-start')
    const { pan } = soundAttributesOf(element)
    const gainEnvelope = envelope(element)
    return {
      id,
      kind: element instanceof realm.HTMLVideoElement ? 'video' : 'audio',
      src,
      start,
      end: Number.isFinite(end) ? end : null,
      ...readPlayback(element),
      loop: element.loop,
      ...(around.start > start && { heardFrom: around.start }),
      ...(around.end < end && { heardUntil: around.end }),
      volume: gainOf(element),
      ...(pan && { pan }),
      ...(gainEnvelope && { envelope: gainEnvelope }),
      muted: (element.muted && !mayUnmute) || !isTimed || !isIncluded(element),
      hasAudio: hasAudio === null ? null : hasAudio !== 'false',
    }
  }

  return {
    unknown: () => [...new Set(mediaElements().flatMap(sourcesOf))].filter((src) => !factsBySource.has(src)),
    setFacts(facts) {
      for (const [src, info] of Object.entries(facts)) factsBySource.set(src, info)
      onFacts()
      for (const element of mediaElements()) announce(element)
    },
    factsOf,
    windowOf,
    list(length) {
      compositionLength = length
      const all: PageMedia[] = []
      const mayUnmute = scriptsMute()
      for (const element of mediaElements()) {
        const src = sourceOf(element)
        // An audio element that is not timed would not be heard in a browser either.
        const isUsed = element.hasAttribute('data-start') || element instanceof realm.HTMLVideoElement
        if (src === undefined || !isUsed) continue
        const id = `m${all.length}`
        byId.set(id, element)
        all.push(describe(element, id, src, mayUnmute))
      }
      return all
    },
    elementOf: (id) => byId.get(id),
    idOf: (element) => [...byId].find(([, listed]) => listed === element)?.[0],
    unheard: () =>
      mediaElements().flatMap((element) => {
        const isMeant = !element.paused || (element.loop && element instanceof realm.HTMLAudioElement)
        const isSilent = element.hasAttribute('data-start') || !isMeant || gainOf(element) === 0 || !isIncluded(element)
        const hasSound = factsOf(element)?.hasAudio && element.getAttribute('data-has-audio') !== 'false'
        return isSilent || !hasSound ? [] : [`<${element.localName} src="${sourceOf(element)}">`]
      }),
    gains: () => [...byId.values()].map(gainNow),
  }
}
