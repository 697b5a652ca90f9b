import { computed, effect, signal } from '@preact/signals'
import type { PageBox } from '@vid/runtime'
import { type Placement, type Point, placementOf, type Rect } from '../model/placement.ts'
import { frame, isLoading, isPlaying, player } from '../state/playback.ts'
import { edit } from '../state/staged.ts'
import { selectedClip, shownClips } from '../state/timeline.ts'
import { compositionSize } from '../state/view.ts'
import { editableClips, isPictureCurrent, isSamePlace } from './clip-target.ts'
import { pictureFollows } from './edit-session.ts'
import { readElement } from './fresh-clips.ts'
import { inspection, type PickedElement, picked } from './inspection.ts'
import { type Selection, selectElement } from './select-element.ts'

/** What can be seen in the shown frame while something is selected; empty while it plays or loads. */
export const boxes = signal<readonly PageBox[]>([])

const idOf = ({ selector }: PageBox): string | null => (selector.startsWith('#') ? selector.slice(1) : null)

/** The box of an element that was chosen: of those of a selector, only the one that is alone. */
const boxOf = ({ path, selector }: PickedElement): PageBox | null => {
  if (path !== null) return boxes.value.find((box) => box.path === path) ?? null
  const fits = boxes.value.filter((box) => box.selector === selector)
  return fits.length === 1 ? (fits[0] ?? null) : null
}

/** Reads where everything is in the shown frame. */
const readBoxes = async (): Promise<readonly PageBox[]> =>
  (await player
    .peek()
    ?.boxes()
    .catch(() => [])) ?? []

/** The box of the selected element; null where it cannot be seen. */
export const selectedBox = computed((): PageBox | null => {
  if (picked.value) return boxOf(picked.value)
  const id = selectedClip.value?.id
  if (id) return boxes.value.find((box) => idOf(box) === id) ?? null
  const index = selectedClip.value?.index
  return index === undefined ? null : (boxes.value.find(({ clip }) => clip === index) ?? null)
})

/** Where the source places the selected element. */
export const placement = computed((): Placement | null =>
  inspection.value ? placementOf(inspection.value.styles) : null,
)

/** Why an element of a place cannot be moved on the picture; undefined where it can be. */
export const fixedReasonOf = ({ x, y }: Placement): string | undefined =>
  x || y ? undefined : 'The source does not place it in pixels: state position, left and top to move it here.'

/** Why the selected element cannot be moved on the picture; undefined where it can be. */
export const fixedReason = computed(() => (placement.value ? fixedReasonOf(placement.value) : undefined))

const contains = ({ x, y, width, height }: Rect, point: Point) =>
  x <= point.x && point.x < x + width && y <= point.y && point.y < y + height

/** Whether an element fills the picture: a click on it is on the ground. */
const isGround = ({ width, height }: Rect) =>
  width >= compositionSize.value.width && height >= compositionSize.value.height

/** The source of an element without an id: itself, or the clip that it stands in where the sources do not hold it. */
const readPlace = async (path: string, signal: AbortSignal) => {
  const facts = await readElement({ page: path }, signal).catch(() => null)
  if (!facts) return null
  const { address, clip } = facts
  const shown =
    clip && [...editableClips.value.values()].find((other) => isSamePlace(other.facts.address, clip.address))
  // Of another version than the picture, the path may be that of another element.
  const isOfPicture = isPictureCurrent.value && edit.value?.version === facts.version
  return { picked: { target: address, path, selector: null }, clip: shown?.clip, isOfPicture }
}

/** What is at a point of the picture; undefined where that is not known since the picture has changed meanwhile. */
const elementAt = async (point: Point, signal: AbortSignal): Promise<Selection | undefined> => {
  boxes.value = await readBoxes()
  const box = boxes.value.findLast((candidate) => contains(candidate, point) && !isGround(candidate))
  if (!box) return {}
  const id = idOf(box)
  if (id) {
    const clip = shownClips.value.find((other) => other.id === id)
    return { clip, picked: { target: `#${id}`, path: box.path, selector: box.selector } }
  }
  const place = await readPlace(box.path, signal)
  if (!place) return { clip: shownClips.value.find(({ index }) => index === box.clip) }
  return place.isOfPicture ? { clip: place.clip, picked: place.picked } : undefined
}

let lastPick = new AbortController()

/** Times that a picture may change while it is found out what is at a point of it. */
const MAX_TRIES = 5

/** Selects what is at a point of the picture; nothing where only the ground is. Whether something is selected then. */
export const selectAt = async (point: Point): Promise<boolean> => {
  lastPick.abort()
  lastPick = new AbortController()
  const { signal } = lastPick
  let selection: Selection | undefined
  for (let tries = 0; tries < MAX_TRIES && !selection && !signal.aborted; tries += 1) {
    await pictureFollows()
    selection = await elementAt(point, signal)
  }
  if (signal.aborted) return false
  selectElement(selection ?? {})
  return Boolean(selection?.clip ?? selection?.picked)
}

/** Keeps the boxes as the shown frame has them while something is selected. */
export const followBoxes = (): void => {
  effect(() => {
    const isWanted = selectedClip.value !== undefined || picked.value !== null
    const isStill = !isPlaying.value && !isLoading.value && frame.value >= 0
    let isOver = false
    if (isWanted && isStill)
      void readBoxes().then((read) => {
        if (!isOver) boxes.value = read
      })
    else boxes.value = []
    return () => {
      isOver = true
    }
  })
}
