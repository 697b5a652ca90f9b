import { useRef } from 'preact/hooks'
import type { ElementInspection } from '../../edit-api.ts'
import { inspection, selectedSubject } from '../edit/inspection.ts'
import { fixedReason, placement, selectedBox } from '../edit/picture.ts'
import { dragOnPicture, pictureGesture } from '../edit/picture-gesture.ts'
import { typing } from '../edit/typing.ts'
import type { Handle, Rect } from '../model/placement.ts'
import { scale } from '../state/view.ts'
import { TextInPlace } from './text-in-place.tsx'

const SIDES = [-1, 0, 1] as const
const HANDLES: readonly Handle[] = SIDES.flatMap((y) => SIDES.map((x) => ({ x, y }))).filter(({ x, y }) => x || y)

const CURSORS: Readonly<Record<string, string>> = {
  '-1,-1': 'nwse-resize',
  '1,1': 'nwse-resize',
  '1,-1': 'nesw-resize',
  '-1,1': 'nesw-resize',
  '0,-1': 'ns-resize',
  '0,1': 'ns-resize',
  '-1,0': 'ew-resize',
  '1,0': 'ew-resize',
}

const areaOf = ({ x, y, width, height }: Rect) => ({
  left: `${x * scale.value}px`,
  top: `${y * scale.value}px`,
  width: `${width * scale.value}px`,
  height: `${height * scale.value}px`,
})

const Handles = () => {
  const { width, height } = placement.value ?? { width: null, height: null }
  const fits = ({ x, y }: Handle) => (x === 0 || width !== null) && (y === 0 || height !== null)
  return (
    <>
      {HANDLES.filter(fits).map((handle) => (
        <i
          key={`${handle.x},${handle.y}`}
          class="handle"
          style={{
            left: `${(handle.x + 1) * 50}%`,
            top: `${(handle.y + 1) * 50}%`,
            cursor: CURSORS[`${handle.x},${handle.y}`],
          }}
          onPointerDown={(event) => dragOnPicture(event, handle)}
        />
      ))}
    </>
  )
}

const GuideLines = () => (
  <>
    {pictureGesture.value?.guides.map(({ axis, at }) => (
      <div
        key={`${axis}${at}`}
        class={`align-line ${axis}`}
        style={{ [axis === 'x' ? 'left' : 'top']: `${at * scale.value}px` }}
      />
    ))}
  </>
)

/** What can be done with the selected element on the picture, and what cannot. */
const hintOf = ({ text }: ElementInspection): string =>
  [fixedReason.value, text.reason === null ? 'Double-click to change the text.' : undefined]
    .filter((sentence) => sentence !== undefined)
    .join(' ')

/** The outline of the selected element on the picture, with handles where the source holds its size. */
export const SelectionLayer = () => {
  const gesture = pictureGesture.value
  const subject = selectedSubject.value
  const isTyping = subject !== null && typing.value?.key === subject.key
  const shown = useRef<Rect | null>(null)
  // While the picture is loaded again, the field stays where it is.
  const rect = gesture?.rect ?? selectedBox.value ?? (isTyping ? shown.current : null)
  shown.current = rect
  if (!rect || !subject) return null
  const { x, y, width, height } = rect
  return (
    <div class="selection-layer">
      <div
        class={fixedReason.value ? 'selected-box fixed' : 'selected-box'}
        style={areaOf(rect)}
        title={inspection.value ? hintOf(inspection.value) : undefined}
        onPointerDown={(event) => dragOnPicture(event, null)}
      >
        <Handles />
      </div>
      <GuideLines />
      {gesture && (
        <output class="place-label numbers" style={{ left: `${x * scale.value}px`, top: `${y * scale.value}px` }}>
          {gesture.handle ? `${Math.round(width)} × ${Math.round(height)}` : `${Math.round(x)}, ${Math.round(y)}`}
        </output>
      )}
      {isTyping && <TextInPlace key={subject.key} rect={rect} subject={subject} />}
    </div>
  )
}
