import { batch } from '@preact/signals'
import { frame, type InOut, inOut } from './playback.ts'
import { entry, project } from './project.ts'
import { timelineZoom } from './timeline.ts'
import { edits, type Values } from './variables.ts'
import { type Panel, pan, panel, zoom } from './view.ts'

/** What a reload of the page keeps. */
interface Place {
  /** Folder and file that it is about: another preview may use the same port later. */
  readonly of: string
  readonly frame: number
  readonly inOut: InOut
  readonly edits: Values
  readonly panel: Panel
  readonly view: { readonly zoom: typeof zoom.value; readonly pan: typeof pan.value }
  readonly timelineZoom: number
}

const KEY = 'vid-preview-place'

const subject = () => `${project.peek()?.name ?? ''}/${entry.peek()}`

const savePlace = () => {
  if (!entry.peek()) return
  const place: Place = {
    of: subject(),
    frame: frame.peek(),
    inOut: inOut.peek(),
    edits: edits.peek(),
    panel: panel.peek(),
    view: { zoom: zoom.peek(), pan: pan.peek() },
    timelineZoom: timelineZoom.peek(),
  }
  sessionStorage.setItem(KEY, JSON.stringify(place))
}

/** Saves the place whenever the page is left, for this tab alone. */
export const keepPlace = (): void => window.addEventListener('pagehide', savePlace)

let savedPlace: Place | null = null

/** Goes back to what the page showed before it was loaded again. */
export const restorePlace = (): void => {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  const place: Place | null = text === null ? null : JSON.parse(text)
  if (place?.of !== subject()) return
  savedPlace = place
  batch(() => {
    edits.value = place.edits
    panel.value = place.panel
    zoom.value = place.view.zoom
    pan.value = place.view.pan
    timelineZoom.value = place.timelineZoom
  })
}

/** Frame and range to open the composition with; undefined for one that was not open before. Taken once. */
export const takeTime = (): Pick<Place, 'frame' | 'inOut'> | undefined => {
  const place = savedPlace?.of === subject() ? savedPlace : undefined
  savedPlace = null
  return place
}
