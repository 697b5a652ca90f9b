import { computed, effect, signal } from '@preact/signals'
import type { PageBox } from '@vid/runtime'
import type { TimelineClip } from '../model/clip-rows.ts'
import { type Placement, placementOf, type Rect } from '../model/placement.ts'
import { frame, isLoading, isPlaying, player } from '../state/playback.ts'
import { selectedClip, shownClips } from '../state/timeline.ts'
import { pictureSize } from '../state/view.ts'
import { inspection, type PickedElement, picked, readElement } from './inspection.ts'
import { selectElement } from './select-element.ts'

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

/** Why the selected element cannot be moved on the picture; undefined where it can be. */
export const fixedReason = computed((): string | undefined => {
  const place = placement.value
  if (!place || place.x || place.y) return undefined
  return 'The source does not place it in pixels: state position, left and top to move it here.'
})

const contains = ({ x, y, width, height }: Rect, point: { readonly x: number; readonly y: number }) =>
  x <= point.x && point.x < x + width && y <= point.y && point.y < y + height

/** Whether an element fills the picture: a click on it is on the ground. */
const isGround = ({ width, height }: Rect) => width >= pictureSize.value.width && height >= pictureSize.value.height

/** The source of an element without an id: itself, or the clip that it stands in where the sources do not hold it. */
const readPlace = async (path: string, signal: AbortSignal) => {
  const target = { page: path }
  const facts = await readElement(target, signal).catch(() => null)
  if (!facts) return null
  const isClip = ({ source }: TimelineClip) => source?.file === facts.address.file && source.line === facts.line
  return { picked: { target, path, selector: null }, clip: facts.clip ? shownClips.value.find(isClip) : undefined }
}

let lastPick = new AbortController()

/** Selects what is at a point of the picture; nothing where only the ground is. */
export const pick = async (point: { readonly x: number; readonly y: number }): Promise<void> => {
  lastPick.abort()
  lastPick = new AbortController()
  const { signal } = lastPick
  boxes.value = await readBoxes()
  const box = boxes.value.findLast((candidate) => contains(candidate, point) && !isGround(candidate))
  const id = box && idOf(box)
  const place = box && !id ? await readPlace(box.path, signal) : null
  if (signal.aborted) return
  if (!box) return selectElement({})
  if (id) {
    const clip = shownClips.value.find((other) => other.id === id)
    return selectElement({ clip, picked: { target: `#${id}`, path: box.path, selector: box.selector } })
  }
  const holder = shownClips.value.find(({ index }) => index === box.clip)
  selectElement({ clip: place ? place.clip : holder, picked: place?.picked })
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
