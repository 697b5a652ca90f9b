import { secondsOf } from '@vid/protocol'
import { formatSeconds } from '../model/timecode.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import { composition, inOut, range, rate } from '../state/playback.ts'
import { rows, selectedClip, timelineZoom } from '../state/timeline.ts'

const ClipFacts = () => {
  const clip = selectedClip.value
  if (!clip && composition.value && rows.value.length === 0)
    return <span class="quiet">No timed elements and no animations: scripts alone move this composition.</span>
  if (!clip) return <span class="quiet">Choose a clip to see where it is written.</span>
  return (
    <>
      <strong>{clip.name}</strong>
      <span class="quiet numbers">
        {formatSeconds(clip.start)} – {formatSeconds(clip.end)}
      </span>
      {clip.source && <PlaceButton file={clip.source.file} line={clip.source.line} />}
    </>
  )
}

const RangeFacts = () => {
  if (inOut.value.start === null && inOut.value.end === null) return null
  const { start, end } = range.value
  return (
    <span class="range-facts numbers">
      Range: frames {start} to {end - 1}, {formatSeconds(secondsOf(end - start, rate.value))}
    </span>
  )
}

/** What is chosen in the timeline, and how large it is drawn. */
export const TimelineBar = () => (
  <div class="timeline-bar">
    <div class="clip-facts" aria-live="polite">
      <ClipFacts />
    </div>
    <RangeFacts />
    <label class="timeline-zoom">
      Zoom
      <input
        type="range"
        aria-label="Zoom of the timeline"
        data-returns-focus
        min={0}
        max={1}
        step={0.02}
        value={timelineZoom.value}
        onInput={({ currentTarget }) => {
          timelineZoom.value = Number(currentTarget.value)
        }}
      />
    </label>
  </div>
)
