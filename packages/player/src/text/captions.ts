import { type CaptionedView, createTextTracks, cuesAt } from './text-tracks.ts'

/** The text tracks of a player, and what is shown of them. */
export interface Captions {
  readonly list: TextTrackList
  /** Shows the cues of a time over the picture. */
  show(seconds: number): void
  close(): void
}

/** What captions are read from and shown on. */
export interface CaptionedStage {
  readonly view: CaptionedView
  readonly place: HTMLElement | undefined
  /** Another track is shown, or there are others. */
  onChange(): void
}

const boxOf = (cue: VTTCue): HTMLElement => {
  const box = document.createElement('div')
  box.part.add('caption')
  box.append(cue.getCueAsHTML())
  return box
}

/** Creates the captions of a composition; without one there are none. */
export const createCaptions = (stage?: CaptionedStage): Captions => {
  const place = document.createElement('div')
  place.className = 'captions'
  stage?.place?.append(place)
  let seconds = 0
  let shown: readonly VTTCue[] = []
  const draw = () => {
    const cues = cuesAt(list, seconds)
    if (cues.length === shown.length && cues.every((cue, index) => cue === shown[index])) return
    shown = cues
    place.replaceChildren(...cues.map(boxOf))
  }
  const list = createTextTracks(stage?.view, draw)
  const controller = new AbortController()
  for (const type of ['change', 'addtrack'])
    list.addEventListener(
      type,
      () => {
        draw()
        stage?.onChange()
      },
      { signal: controller.signal },
    )
  return {
    list,
    show(time) {
      seconds = time
      draw()
    },
    close() {
      controller.abort()
      place.remove()
    },
  }
}
