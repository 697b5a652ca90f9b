import { secondsOf } from '@vid/protocol'
import { useEffect, useRef } from 'preact/hooks'
import { timelineDrop } from '../edit/dropped-files.ts'
import { scrollTo } from '../model/timeline-scale.ts'
import { frame, isPlaying, rate } from '../state/playback.ts'
import { rows, timelineScroll, timelineWidth, timelineZoom, timeScale } from '../state/timeline.ts'
import { ClipRow } from './clip-row.tsx'
import { DragGuide } from './drag-guide.tsx'
import { DropGuide } from './drop-guide.tsx'
import { ChangedRow, CommentsRow, FindingsRow } from './marks.tsx'
import { Playhead } from './playhead.tsx'
import { Ruler } from './ruler.tsx'
import { LABEL_WIDTH } from './sizes.ts'
import { TimelineBar } from './timeline-bar.tsx'

const wheelZoom = (event: WheelEvent) => {
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  timelineZoom.value = Math.min(1, Math.max(0, timelineZoom.value - event.deltaY / 1000))
}

/** Keeps the playhead in view while it moves. */
const follow = (element: HTMLElement) => {
  const place = secondsOf(frame.value, rate.value) * timeScale.value.perSecond
  const offset = scrollTo(place, element.scrollLeft, timelineWidth.value)
  if (offset !== element.scrollLeft) element.scrollLeft = offset
}

const Follower = ({ scroll }: { readonly scroll: { readonly current: HTMLElement | null } }) => {
  const currentFrame = frame.value
  const zoom = timelineZoom.value
  useEffect(() => {
    if (scroll.current && (isPlaying.value || zoom > 0)) follow(scroll.current)
  }, [currentFrame, zoom, scroll])
  return null
}

const drops = timelineDrop(LABEL_WIDTH)

/** The clips over time. */
export const Timeline = () => {
  const scroll = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = scroll.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      timelineWidth.value = Math.max(100, element.clientWidth - LABEL_WIDTH - 12)
    })
    observer.observe(element)
    element.addEventListener('wheel', wheelZoom, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', wheelZoom)
    }
  }, [])
  return (
    <section class="timeline" aria-label="Timeline">
      <TimelineBar />
      <div
        class="timeline-scroll"
        ref={scroll}
        {...drops}
        onScroll={({ currentTarget }) => {
          timelineScroll.value = currentTarget.scrollLeft
        }}
      >
        <div class="timeline-sheet" style={{ width: `${LABEL_WIDTH + timeScale.value.width}px` }}>
          <Ruler />
          <ChangedRow />
          <FindingsRow />
          <CommentsRow />
          {rows.value.map((row) => (
            <ClipRow key={row.key} row={row} />
          ))}
          <Playhead />
          <DragGuide />
          <DropGuide />
        </div>
        <Follower scroll={scroll} />
      </div>
    </section>
  )
}
