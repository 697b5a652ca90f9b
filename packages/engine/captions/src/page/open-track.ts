import type { Captions } from '../model/cue.ts'
import { readVtt } from '../text/read-vtt.ts'

/** A track element with its captions. */
export interface OpenTrack {
  readonly element: HTMLTrackElement
  readonly captions: Captions
  readonly language: string | undefined
}

const isCaptions = ({ kind }: HTMLTrackElement): boolean => kind === 'captions' || kind === 'subtitles'

/** The track that an element draws: by `for` or `srclang`, in its composition before all others. */
const findTrack = (element: Element): HTMLTrackElement => {
  const id = element.getAttribute('for')
  const language = element.getAttribute('srclang')
  const around = element.parentElement?.closest('[data-composition-id]')
  const fits = (track: HTMLTrackElement) =>
    id === null ? isCaptions(track) && (language === null || track.srclang === language) : track.id === id
  for (const scope of [around, document]) {
    const track = [...(scope?.querySelectorAll('track') ?? [])].find(fits)
    if (track) return track
  }
  const markup =
    id === null ? `<track kind="captions"${language === null ? '' : ` srclang="${language}"`}>` : `<track id="${id}">`
  throw new Error(`<vid-captions> finds no ${markup}`)
}

/** The text of a file; undefined where some of its bytes are no characters of UTF-8. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Finds and reads the track that an element draws. */
export const openTrack = async (element: Element): Promise<OpenTrack> => {
  const track = findTrack(element)
  const file = track.getAttribute('src') ?? ''
  const answer = await fetch(track.src)
  if (!answer.ok) throw new Error(`the captions "${file}" cannot be read: status ${answer.status}`)
  const text = textOf(new Uint8Array(await answer.arrayBuffer()))
  if (text === undefined) throw new Error(`the captions "${file}" cannot be read: they are not UTF-8`)
  const result = readVtt(text)
  if ('problem' in result)
    throw new Error(`the captions "${file}" cannot be read: line ${result.problem.line}: ${result.problem.reason}`)
  const language = track.srclang || result.captions.language
  return { element: track, captions: result.captions, language }
}
