import { secondsOf } from '@vid/protocol'
import { formatFrame } from '../model/timecode.ts'
import { rulerLabel, rulerMarks } from '../model/timeline-scale.ts'
import { frame, frames, inOut, range, rate } from '../state/playback.ts'
import { length, timelineScroll, timelineWidth, timeScale } from '../state/timeline.ts'
import { scrub } from './scrub.ts'

const RangeBand = () => {
  if (inOut.value.start === null && inOut.value.end === null) return null
  const { perSecond } = timeScale.value
  const { start, end } = range.value
  const left = secondsOf(start, rate.value) * perSecond
  return (
    <div
      class="range-band"
      style={{ left: `${left}px`, width: `${secondsOf(end - start, rate.value) * perSecond}px` }}
    />
  )
}

/** Labels are drawn so far outside of what is seen, in CSS pixels. */
const BESIDE = 200

/** The labels that are seen: a long composition has thousands. */
const Marks = () => {
  const { perSecond } = timeScale.value
  const from = (timelineScroll.value - BESIDE) / perSecond
  const until = (timelineScroll.value + timelineWidth.value + BESIDE) / perSecond
  return (
    <>
      {rulerMarks(perSecond, from, Math.min(length.value, until)).map((seconds) => (
        <span key={seconds} class="mark" style={{ left: `${seconds * perSecond}px` }}>
          {rulerLabel(seconds)}
        </span>
      ))}
    </>
  )
}

/** The times, on which one can scrub. */
export const Ruler = () => (
  <div class="timeline-row ruler-row">
    <div class="row-label" />
    <div
      class="ruler lane"
      role="slider"
      aria-label="Position"
      tabIndex={0}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, frames.value - 1)}
      aria-valuenow={frame.value}
      aria-valuetext={`${formatFrame(frame.value, rate.value)}, frame ${frame.value}`}
      {...scrub}
    >
      <RangeBand />
      <Marks />
    </div>
  </div>
)
