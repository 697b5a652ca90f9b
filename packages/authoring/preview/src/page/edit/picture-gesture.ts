import { effect, signal, untracked } from '@preact/signals'
import {
  alignDrag,
  draggedRect,
  type GuideLine,
  guideLinesOf,
  type Handle,
  type Placement,
  type Point,
  placedStyles,
  placementOf,
  type Rect,
} from '../model/placement.ts'
import { tell } from '../state/notices.ts'
import { player } from '../state/playback.ts'
import { compositionSize, scale } from '../state/view.ts'
import { isSnapping } from './clip-gesture.ts'
import { pictureFollows } from './edit-session.ts'
import { changeElement, inspection, picked, type Subject, selectedSubject, selectedTarget } from './inspection.ts'
import { boxes, fixedReasonOf, selectedBox } from './picture.ts'
import { type Press, trackPointer } from './track-pointer.ts'

/** What is being done with an element on the picture. */
export interface PictureGesture {
  readonly rect: Rect
  readonly guides: readonly GuideLine[]
  readonly handle: Handle | null
}

/** The gesture that goes on, until the picture follows it; null for none. */
export const pictureGesture = signal<PictureGesture | null>(null)

/** CSS pixels that a pointer may move and still click. */
const SLACK = 3

/** CSS pixels within which an edge is put on a line. */
const REACH = 6

/** Shows styles of the selected element while it is dragged: of several, the last. */
const createSketch = (signal: AbortSignal) => {
  const target = selectedTarget.peek()
  const id = typeof target === 'string' ? target.slice(target.indexOf('#') + 1) : picked.peek()?.path
  let next: Readonly<Record<string, string>> | undefined
  let isBusy = false
  const run = async () => {
    isBusy = true
    // What is loaded after the gesture is as staged.
    while (next && id && !signal.aborted) {
      const styles = next
      next = undefined
      await player
        .peek()
        ?.patch([{ id, styles }])
        .catch(() => undefined)
    }
    isBusy = false
  }
  return (styles: Readonly<Record<string, string>>) => {
    next = styles
    if (!isBusy) void run()
  }
}

const linesBeside = (rect: Rect): readonly GuideLine[] => {
  const { width, height } = compositionSize.value
  const others = boxes.value.filter(
    ({ x, y, width: wide, height: high }) =>
      (x !== rect.x || y !== rect.y || wide !== rect.width || high !== rect.height) && (wide < width || high < height),
  )
  return guideLinesOf([{ x: 0, y: 0, width, height }, ...others])
}

/** A distance on the picture, at a handle of an element or with all of it. */
interface Distance {
  readonly by: Point
  readonly handle: Handle | null
}

/** The styles of an element after a drag, as far as its source places it. */
const stylesAfter = (place: Placement, { by: { x, y }, handle }: Distance) => {
  const canX = handle ? handle.x !== 0 && place.width !== null : place.x !== null
  const canY = handle ? handle.y !== 0 && place.height !== null : place.y !== null
  const by = { x: canX ? x : 0, y: canY ? y : 0 }
  return { by, canX, canY, styles: placedStyles(place, by, handle) }
}

/** Stages what a gesture has come to; the outline stays until the picture shows it there. */
const commit = async (subject: Subject, distance: Distance, settling: PictureGesture) => {
  try {
    const isStaged = await changeElement(subject, ({ styles }) => {
      const place = placementOf(styles)
      const reason = distance.handle ? undefined : fixedReasonOf(place)
      if (reason) tell(reason, true)
      return Object.entries(stylesAfter(place, distance).styles).map(
        ([property, value]) => ({ op: 'style', property, value }) as const,
      )
    })
    if (isStaged) await pictureFollows()
  } finally {
    if (pictureGesture.value === settling) pictureGesture.value = null
  }
}

/** Moves the selected element with a pointer, or a handle of it, until it is let go or Escape is pressed. */
export const dragOnPicture = (press: Press, handle: Handle | null): void => {
  const rect = selectedBox.value
  const subject = selectedSubject.value
  if (!rect || !subject || press.button !== 0 || !press.isPrimary) return
  press.stopPropagation()
  const { clientX, clientY } = press
  const lines = linesBeside(rect)
  let distance: Distance | undefined
  let last: PointerEvent | undefined

  /** What the source holds of the element that was pressed; null until it is read. */
  const place = () => (inspection.value?.subject.key === subject.key ? placementOf(inspection.value.styles) : null)
  const moveTo = ({ clientX: x, clientY: y, altKey }: PointerEvent) => {
    if (!distance && Math.hypot(x - clientX, y - clientY) < SLACK) return
    const placement = place()
    const reason = placement && !handle ? fixedReasonOf(placement) : undefined
    if (reason) {
      tell(reason, true)
      pictureGesture.value = null
      return end()
    }
    const dragged = { x: (x - clientX) / scale.value, y: (y - clientY) / scale.value }
    const reach = isSnapping.value && !altKey ? REACH / scale.value : 0
    const aligned = alignDrag(rect, dragged, handle, { lines, reach })
    distance = { by: { x: aligned.x, y: aligned.y }, handle }
    const { by, canX, canY, styles } = placement
      ? stylesAfter(placement, distance)
      : { by: distance.by, canX: true, canY: true, styles: undefined }
    const guides = aligned.guides.filter(({ axis }) => (axis === 'x' ? canX : canY))
    pictureGesture.value = { rect: draggedRect(rect, by, handle), guides, handle }
    if (styles) sketch(styles)
  }
  const { signal, end } = trackPointer(press, {
    move(event) {
      last = event
      moveTo(event)
    },
    release() {
      const settling = pictureGesture.value
      if (distance && settling) void commit(subject, distance, settling)
      else pictureGesture.value = null
    },
    cancel() {
      pictureGesture.value = null
      if (distance) void player.peek()?.load()
    },
  })
  const sketch = createSketch(signal)
  // What the source holds may be read while the pointer rests.
  const stopWaiting = effect(() => {
    if (inspection.value) untracked(() => last && moveTo(last))
  })
  signal.addEventListener('abort', stopWaiting)
}
