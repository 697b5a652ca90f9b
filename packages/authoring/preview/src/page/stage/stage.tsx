import { useEffect, useRef } from 'preact/hooks'
import { pictureDrop } from '../edit/dropped-files.ts'
import { selectAt } from '../edit/picture.ts'
import { typeAt } from '../edit/typing.ts'
import type { Point } from '../model/placement.ts'
import { limitZoom, panAround } from '../model/stage-view.ts'
import { isLoading } from '../state/playback.ts'
import { compositionSize, hasCheckerboard, pan, scale, stageSize, zoom } from '../state/view.ts'
import { ExactLayer } from './exact-layer.tsx'
import { Guides } from './guides.tsx'
import { PlayerHost } from './player-host.tsx'
import { SelectionLayer } from './selection-layer.tsx'
import { StageMessages } from './stage-messages.tsx'

/** A point of the stage from its middle, in CSS pixels. */
const fromMiddle = (element: Element, { clientX, clientY }: MouseEvent) => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
}

const zoomAt = (element: Element, event: WheelEvent) => {
  const before = scale.value
  const after = limitZoom(before * 1.0015 ** -event.deltaY)
  pan.value = panAround(pan.value, fromMiddle(element, event), after / before)
  zoom.value = after
}

const wheel = (event: WheelEvent) => {
  event.preventDefault()
  if (event.ctrlKey || event.metaKey) return zoomAt(event.currentTarget as Element, event)
  pan.value = { x: pan.value.x - event.deltaX, y: pan.value.y - event.deltaY }
}

const drag = (event: PointerEvent & { readonly currentTarget: Element }) => {
  // What stands on the picture follows the pointer itself.
  if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
  pan.value = { x: pan.value.x + event.movementX, y: pan.value.y + event.movementY }
}

/** CSS pixels that a pointer may move and still click. */
const SLACK = 3

/** Where the pointer was pressed. */
let pressed = { x: 0, y: 0 }

type OnStage<E> = E & { readonly currentTarget: Element }

/** The point of the composition under a pointer that has not moved since it was pressed; undefined for a drag. */
const pointOf = ({ button, clientX, clientY, currentTarget }: OnStage<MouseEvent>): Point | undefined => {
  const picture = currentTarget.querySelector('.picture')?.getBoundingClientRect()
  if (!picture || button !== 0 || Math.hypot(clientX - pressed.x, clientY - pressed.y) > SLACK) return undefined
  return { x: (clientX - picture.left) / scale.value, y: (clientY - picture.top) / scale.value }
}

/** Selects what is clicked on the picture. */
const clickPicture = (event: OnStage<PointerEvent>) => {
  const point = pointOf(event)
  if (point) void selectAt(point)
}

/** Edits the text that is clicked twice, whatever the first click has come to by then. */
const doubleClickPicture = (event: OnStage<MouseEvent>) => {
  const point = pointOf(event)
  if (point) void typeAt(point)
}

const Picture = () => {
  const { width, height } = compositionSize.value
  const wide = Math.round(width * scale.value)
  const high = Math.round(height * scale.value)
  // On whole pixels, else all of them are mixed with their neighbours.
  const style = {
    width: `${wide}px`,
    height: `${high}px`,
    left: `${Math.round((stageSize.value.width - wide) / 2 + pan.value.x)}px`,
    top: `${Math.round((stageSize.value.height - high) / 2 + pan.value.y)}px`,
  }
  return (
    <div class={hasCheckerboard.value ? 'picture checkerboard' : 'picture'} style={style}>
      <div class="layers">
        <PlayerHost />
        <ExactLayer />
      </div>
      <Guides />
      <SelectionLayer />
    </div>
  )
}

/** Where the picture is: it can be moved by dragging, and zoomed by the wheel with Ctrl. */
export const Stage = () => {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      stageSize.value = { width: element.clientWidth, height: element.clientHeight }
    })
    observer.observe(element)
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', wheel)
    }
  }, [])
  return (
    <section
      class="stage"
      aria-label="Picture"
      aria-busy={isLoading.value}
      ref={place}
      {...pictureDrop}
      onPointerDownCapture={({ clientX, clientY }) => {
        pressed = { x: clientX, y: clientY }
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerUp={clickPicture}
      onDblClick={doubleClickPicture}
      onPointerMove={drag}
    >
      <Picture />
      <StageMessages />
    </section>
  )
}
