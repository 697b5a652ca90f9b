import type { MediaFacts, PageMedia } from '../../contract.ts'
import type { TimeWindow, TimeWindows } from '../document/windows.ts'
import { natives, type Realm } from '../natives.ts'
import { readPlayback, sourcesOf } from './media-source.ts'
import type { Volumes } from './volume.ts'

/** The media elements of the page and what is known of their sources. */
export interface Media {
  /** Sources that the page must be told about. */
  unknown(): string[]
  /** Takes in facts, and lets the elements tell the page's scripts. */
  tell(facts: Readonly<Record<string, MediaFacts | null>>): void
  /** What is known of the source that an element plays; undefined when nothing. */
  factsOf(element: HTMLMediaElement): MediaFacts | undefined
  /** The window that an element plays in: its own, or that of what is around it. */
  windowOf(element: HTMLMediaElement): TimeWindow
  /** All of them, in document order; from then on their ids are fixed. */
  list(): PageMedia[]
  elementOf(id: string): HTMLMediaElement | undefined
  /** Gain of each that was listed. */
  gains(): number[]
}

const LOADED = ['loadstart', 'durationchange', 'loadedmetadata', 'loadeddata', 'canplay', 'canplaythrough']

/** Whether a script in the page's own text may turn the sound of an element on or off. */
const scriptsMute = () => [...document.scripts].some(({ text }) => /\bmuted\b/.test(text))

const isHidden = (element: Element) => element.closest('[data-hidden]:not([data-hidden="false"])') !== null

/** A picture of nothing with the size of the video: its box is the same before, in and after its window. */
const blank = ({ width, height }: MediaFacts) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`)}`

/** Finds media elements in a window's document. */
export const createMedia = (
  realm: Realm,
  windows: () => TimeWindows,
  volumes: Volumes,
  onFacts: () => void,
): Media => {
  const known = new Map<string, MediaFacts | null>()
  const told = new WeakMap<HTMLMediaElement, string>()
  const byId = new Map<string, HTMLMediaElement>()

  const elements = () => [...document.querySelectorAll<HTMLMediaElement>('video,audio')]
  const sourceOf = (element: HTMLMediaElement) => {
    const sources = sourcesOf(element)
    return sources.find((src) => known.get(src)) ?? sources[0]
  }
  const factsOf = (element: HTMLMediaElement) => known.get(sourceOf(element) ?? '') ?? undefined

  const announce = (element: HTMLMediaElement) => {
    const src = sourceOf(element)
    const facts = known.get(src ?? '')
    if (src === undefined || facts === undefined || told.get(element) === src) return
    told.set(element, src)
    if (facts && element instanceof realm.HTMLVideoElement && facts.width) element.poster = blank(facts)
    for (const type of facts ? LOADED : ['error']) natives.dispatch.call(element, new realm.Event(type))
  }

  /** When all that holds an element is shown. */
  const holderOf = (element: Element): TimeWindow => {
    const { of } = windows()
    let [start, end] = [0, Infinity]
    for (let at = element.parentElement; at; at = at.parentElement) {
      const window = of.get(at)
      if (window) [start, end] = [Math.max(start, window.start), Math.min(end, window.end)]
    }
    return { start, end }
  }

  const gainOf = (element: HTMLMediaElement) => (element.muted ? 0 : volumes.of(element))

  const media: Media = {
    unknown: () => [...new Set(elements().flatMap(sourcesOf))].filter((src) => !known.has(src)),
    tell(facts) {
      for (const [src, each] of Object.entries(facts)) known.set(src, each)
      onFacts()
      for (const element of elements()) announce(element)
    },
    factsOf,
    windowOf(element) {
      const { of } = windows()
      for (let at: Element | null = element; at; at = at.parentElement) {
        const window = of.get(at)
        if (window) return window
      }
      return { start: 0, end: Infinity }
    },
    list() {
      const all: PageMedia[] = []
      const mayUnmute = scriptsMute()
      for (const element of elements()) {
        const src = sourceOf(element)
        const isTimed = element.hasAttribute('data-start')
        const isVideo = element instanceof realm.HTMLVideoElement
        // A sound without a time of its own would not be heard in a browser either.
        if (src === undefined || !(isTimed || isVideo)) continue
        const id = `m${all.length}`
        byId.set(id, element)
        const { start, end } = media.windowOf(element)
        const shown = holderOf(element)
        const said = element.getAttribute('data-has-audio')
        all.push({
          ...{ id, kind: isVideo ? 'video' : 'audio', src, start },
          ...{ end: Number.isFinite(end) ? end : null, ...readPlayback(element), loop: element.loop },
          ...(shown.start > start && { heardFrom: shown.start }),
          ...(shown.end < end && { heardUntil: shown.end }),
          volume: gainOf(element),
          muted: (element.muted && !mayUnmute) || !isTimed || isHidden(element),
          hasAudio: said === null ? null : said !== 'false',
        })
      }
      return all
    },
    elementOf: (id) => byId.get(id),
    gains: () => [...byId.values()].map(gainOf),
  }
  return media
}
