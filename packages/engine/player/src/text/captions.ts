import type { CaptionsStage, PlayerCaptions } from '../player-session.ts'
import { type CaptionedView, createTextTracks, cuesAt } from './text-tracks.ts'

/** What captions of a composition are read from and shown on. */
export interface CaptionedStage extends CaptionsStage {
  readonly view: CaptionedView
}

const boxOf = (cue: VTTCue): HTMLElement => {
  const box = document.createElement('div')
  box.part.add('caption')
  box.append(cue.getCueAsHTML())
  return box
}

/** Creates the captions of a composition; without one there are none. */
export const createCaptions = (stage?: CaptionedStage): PlayerCaptions => {
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
