import { secondsOf } from '@vid/protocol'
import { lockOf } from '../edit/clip-edits.ts'
import { isSnapping } from '../edit/clip-gesture.ts'
import { addFiles } from '../edit/dropped-files.ts'
import { formatSeconds } from '../model/timecode.ts'
import { Icon } from '../parts/icon.tsx'
import { CommandButton } from '../parts/icon-button.tsx'
import { PlaceButton } from '../parts/place-button.tsx'
import { inOut, range, rate, reportedComposition } from '../state/playback.ts'
import { rows, selectedClip, selectedClips, timelineZoom } from '../state/timeline.ts'

const ClipFacts = () => {
  const clip = selectedClip.value
  if (!clip && reportedComposition.value && rows.value.length === 0)
    return <span class="quiet">No timed elements and no animations: scripts alone move this composition.</span>
  if (!clip)
    return (
      <span class="quiet">Click a clip to select it, drag it or its edges to change it; drop files to add them.</span>
    )
  return (
    <>
      <strong>{clip.name}</strong>
      {selectedClips.value.length > 1 && <span class="quiet">and {selectedClips.value.length - 1} more</span>}
      <span class="quiet numbers">
        {formatSeconds(clip.start)} – {formatSeconds(clip.end)}
      </span>
      {clip.source && <PlaceButton file={clip.source.file} line={clip.source.line} />}
      {lockOf(clip) && <span class="quiet">{lockOf(clip)}</span>}
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

const AddFiles = () => (
  <label class="icon-button worded file-button" title="Add videos, sounds and pictures at the playhead">
    <Icon name="add" />
    Add
    <input
      type="file"
      class="hidden"
      aria-label="Add files at the playhead"
      accept="video/*,audio/*,image/*"
      multiple
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])]
        // The same file can be chosen again.
        currentTarget.value = ''
        addFiles(files)
      }}
    />
  </label>
)

/** What is chosen in the timeline, and how large it is drawn. */
export const TimelineBar = () => {
  const isNone = selectedClips.value.length === 0
  const isLocked = !isNone && selectedClips.value.every((clip) => lockOf(clip) !== undefined)
  const isOff = isNone || isLocked
  const whyOff = isNone ? 'select a clip first' : undefined
  return (
    <div class="timeline-bar">
      <div class="clip-facts" aria-live="polite">
        <ClipFacts />
      </div>
      <RangeFacts />
      <div class="clip-tools">
        <AddFiles />
        <CommandButton command="split" name="Split at the playhead" icon="split" text="Split" isOff={isLocked} />
        <CommandButton command="duplicate" name="Duplicate" icon="duplicate" isOff={isOff} whyOff={whyOff} />
        <CommandButton command="remove" name="Remove" icon="remove" isOff={isOff} whyOff={whyOff} />
        <CommandButton command="snapping" name="Snapping" icon="snap" isOn={isSnapping.value} />
      </div>
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
}
