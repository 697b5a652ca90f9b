import { gesture } from '../edit/clip-gesture.ts'
import { draggedWindow } from '../model/drag.ts'
import { formatSeconds } from '../model/timecode.ts'
import { timeScale } from '../state/timeline.ts'
import { LABEL_WIDTH } from './sizes.ts'

const signed = (seconds: number) => `${seconds < 0 ? '−' : '+'}${formatSeconds(Math.abs(seconds))}`

const SNAPS = { clip: 'clip', playhead: 'playhead', second: 'second', onset: 'sound', edge: 'edge' } as const

/** The time of what is being dragged, and a line where it snaps. */
export const DragGuide = () => {
  const { drag, clip, over } = gesture.value ?? {}
  if (!drag || !clip) return null
  const { start, end } = draggedWindow(clip, drag)
  const { perSecond } = timeScale.value
  const seconds = drag.kind === 'trimEnd' ? end : start
  const at = (time: number) => ({ transform: `translateX(${LABEL_WIDTH + time * perSecond}px)` })
  return (
    <>
      {drag.snap && <div class="snap-line" style={at(drag.snap.seconds)} />}
      <output class={over ? 'drag-time over numbers' : 'drag-time numbers'} style={at(seconds)}>
        <strong>{formatSeconds(seconds)}</strong> {signed(drag.by)}
        {drag.kind !== 'move' && <> · {formatSeconds(end - start)} long</>}
        {drag.snap && <> · {SNAPS[drag.snap.kind]}</>}
        {over && <> · over {over}</>}
      </output>
    </>
  )
}
