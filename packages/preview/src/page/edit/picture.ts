import { computed, effect, signal } from '@preact/signals'
import type { PageBox } from '@vid/runtime'
import { type Placement, placementOf, type Rect } from '../model/placement.ts'
import { frame, isLoading, isPlaying, player } from '../state/playback.ts'
import { select, selectedClip, selectedKeys, shownClips } from '../state/timeline.ts'
import { panel, pictureSize } from '../state/view.ts'
import { inspection, picked } from './inspection.ts'

/** What can be seen in the shown frame while something is selected; empty while it plays or loads. */
export const boxes = signal<readonly PageBox[]>([])

const idOf = ({ selector }: PageBox): string | null => (selector.startsWith('#') ? selector.slice(1) : null)

/** Reads where everything is in the shown frame. */
const readBoxes = async (): Promise<readonly PageBox[]> =>
  (await player
    .peek()
    ?.boxes()
    .catch(() => [])) ?? []

/** The box of the selected element; null where it cannot be seen. */
export const selectedBox = computed((): PageBox | null => {
  const id = picked.value ?? selectedClip.value?.id
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

/** Selects what is at a point of the picture; nothing where only the ground is. */
export const pick = async (point: { readonly x: number; readonly y: number }): Promise<void> => {
  boxes.value = await readBoxes()
  const box = boxes.value.findLast((candidate) => contains(candidate, point) && !isGround(candidate))
  const id = box && idOf(box)
  const clip = shownClips.value.find((other) => (id ? other.id === id : box && other.index === box.clip))
  if (clip) {
    picked.value = null
    if (selectedKeys.value.at(-1) !== clip.key || selectedKeys.value.length > 1) {
      selectedKeys.value = []
      select(clip.key)
    }
  } else {
    selectedKeys.value = []
    picked.value = id || null
  }
  if (clip || id) panel.value = 'element'
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
