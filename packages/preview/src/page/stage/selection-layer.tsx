import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Inspection } from '../../edit-api.ts'
import { change, elementText, inspection } from '../edit/inspection.ts'
import { fixedReason, placement, selectedBox } from '../edit/picture.ts'
import { dragOnPicture, pictureGesture } from '../edit/picture-gesture.ts'
import type { Handle, Rect } from '../model/placement.ts'
import { statedStyle } from '../model/style-fields.ts'
import { tell } from '../state/notices.ts'
import { scale } from '../state/view.ts'

/** Whether the text of the selected element is edited in place. */
const isTyping = signal(false)

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

const startTyping = () => {
  const reason = inspection.value?.text.reason
  if (reason) tell(reason, true)
  else if (inspection.value) isTyping.value = true
}

/** The text of the selected element, over it. */
const TextInPlace = ({ rect }: { readonly rect: Rect }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const value = elementText.value
  // Before the next key: what is typed replaces the text.
  useLayoutEffect(() => field.current?.select(), [])
  const end = (text: string) => {
    if (!isTyping.value) return
    isTyping.value = false
    if (text !== value) void change({ op: 'text', text })
  }
  const { left, top, width, height } = areaOf(rect)
  const stated = (property: string) => statedStyle(inspection.value?.styles ?? [], property)?.value
  const size = Number.parseFloat(stated('font-size') ?? '')
  const font = {
    ...(Number.isFinite(size) && { fontSize: `max(13px, ${size * scale.value}px)` }),
    fontWeight: stated('font-weight'),
    textAlign: stated('text-align'),
  }
  return (
    <textarea
      ref={field}
      class="text-in-place"
      aria-label="Text of the selected element"
      style={{ left, top, width: `calc(max(160px, ${width}) + 24px)`, height: `max(32px, ${height})`, ...font }}
      defaultValue={value}
      onPointerDown={(event) => event.stopPropagation()}
      onBlur={({ currentTarget }) => end(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey) end(event.currentTarget.value)
        if (event.key !== 'Escape') return
        event.preventDefault()
        isTyping.value = false
      }}
    />
  )
}

/** What can be done with the selected element on the picture, and what cannot. */
const hintOf = ({ text }: Inspection): string =>
  [fixedReason.value, text.reason === null ? 'Double-click to change the text.' : undefined]
    .filter((sentence) => sentence !== undefined)
    .join(' ')

/** The outline of the selected element on the picture, with handles where the source holds its size. */
export const SelectionLayer = () => {
  const gesture = pictureGesture.value
  const rect = gesture?.rect ?? selectedBox.value
  if (!rect || !inspection.value) return null
  const { x, y, width, height } = rect
  return (
    <div class="selection-layer">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: by the keyboard, the panel Element changes the same */}
      <div
        class={fixedReason.value ? 'selected-box fixed' : 'selected-box'}
        style={areaOf(rect)}
        title={hintOf(inspection.value)}
        onPointerDown={(event) => dragOnPicture(event, null)}
        onDblClick={startTyping}
      >
        <Handles />
      </div>
      <GuideLines />
      {gesture && (
        <output class="place-label numbers" style={{ left: `${x * scale.value}px`, top: `${y * scale.value}px` }}>
          {gesture.handle ? `${Math.round(width)} × ${Math.round(height)}` : `${Math.round(x)}, ${Math.round(y)}`}
        </output>
      )}
      {isTyping.value && <TextInPlace rect={rect} />}
    </div>
  )
}
