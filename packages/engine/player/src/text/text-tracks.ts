import { placeTrack, readVtt, writeVttText } from '@vid/captions/cues'
import type { PageCaptions } from '@vid/runtime'
import type { CompositionView } from '../composition-view.ts'

/** A composition whose captions are read. */
export type CaptionedView = Pick<CompositionView, 'composition' | 'readSource'>

const addCues = (track: TextTrack, text: string, use: PageCaptions, duration: number): void => {
  const result = readVtt(text)
  // Where the page draws them, it says what is broken.
  if ('problem' in result) return
  for (const cue of placeTrack(result.captions, use, { start: 0, end: duration })) {
    const vttCue = new VTTCue(cue.start, cue.end, writeVttText(cue))
    vttCue.id = cue.id ?? ''
    track.addCue(vttCue)
  }
}

/**
 * Creates the text tracks of a composition; without one there are none. They belong to a `<video>` of which nothing else
 * is used. Their cues follow as the files arrive, each time with a call of `onCues`.
 */
export const createTextTracks = (view: CaptionedView | undefined, onCues: () => void): TextTrackList => {
  const owner = document.createElement('video')
  const { probe, duration } = view?.composition ?? {}
  for (const use of probe?.captions ?? []) {
    const track = owner.addTextTrack(use.kind, use.label, use.language)
    if (use.src === null) continue
    void view?.readSource(use.src).then((bytes) => {
      if (bytes) addCues(track, new TextDecoder().decode(bytes), use, duration ?? 0)
      onCues()
    })
  }
  return owner.textTracks
}

/** Times that differ by less are equal. */
const SAME_SECONDS = 1e-6

/** The cues of the showing tracks at a time. */
export const cuesAt = (tracks: TextTrackList, seconds: number): readonly VTTCue[] =>
  [...tracks]
    .flatMap(({ mode, cues }) => (mode === 'showing' ? [...(cues ?? [])] : []))
    .filter(({ startTime, endTime }) => seconds >= startTime - SAME_SECONDS && seconds < endTime - SAME_SECONDS)
    .map((cue) => cue as VTTCue)
