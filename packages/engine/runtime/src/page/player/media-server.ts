import type { MediaFacts, MediaShow } from '../../contract/media.ts'
import type { PlayerSettings, ShowsRequest } from '../../contract/player.ts'
import { natives } from '../realm/natives.ts'
import { browser } from './player-natives.ts'
import { sourceUrlOf } from './source-bytes.ts'

/** Data about media that a player gets besides the browser's decoding. */
export interface MediaServer {
  facts(src: string): Promise<MediaFacts | null>
  /** The pictures of a render; undefined without a server. */
  shows(request: ShowsRequest): Promise<readonly MediaShow[] | undefined>
  /** A part of a source's sound; null without a server. */
  sound(src: string, from: number, count: number): Promise<ArrayBuffer | null>
}

const readJson = async (address: string, init?: RequestInit): Promise<unknown> => {
  const response = await natives.fetch(address, init)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return browser.json.call(response)
}

/** Reads a source's facts with an element of the browser, outside of the document. */
const probe = (src: string): Promise<MediaFacts | null> =>
  new Promise((resolve) => {
    const element = natives.createElement.call(document, 'video') as HTMLVideoElement
    const end = (facts: MediaFacts | null) => {
      element.removeAttribute('src')
      browser.media.load.call(element)
      resolve(facts)
    }
    natives.listen.call(
      element,
      'loadedmetadata',
      () =>
        end({
          duration: browser.media.duration.get(element),
          width: browser.video.width.get(element),
          height: browser.video.height.get(element),
          // A browser reports this only once it plays; a source without sound is silent either way.
          hasAudio: true,
        }),
      { once: true },
    )
    natives.listen.call(element, 'error', () => end(null), { once: true })
    element.preload = 'metadata'
    element.src = sourceUrlOf(src)
  })

/** The media of a page: from a server if there is one, otherwise from the browser. */
export const createMediaServer = ({ mediaBase }: PlayerSettings): MediaServer => {
  if (mediaBase === undefined) return { facts: probe, shows: async () => undefined, sound: async () => null }
  return {
    facts: async (src) => (await readJson(`${mediaBase}facts?src=${encodeURIComponent(src)}`)) as MediaFacts | null,
    shows: async (request) =>
      (await readJson(`${mediaBase}shows`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })) as readonly MediaShow[],
    async sound(src, from, count) {
      const address = `${mediaBase}sound?src=${encodeURIComponent(src)}&from=${from}&count=${count}`
      const response = await natives.fetch(address)
      return response.ok ? natives.arrayBuffer.call(response) : null
    },
  }
}
