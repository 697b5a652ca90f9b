import { formatFrame, parseFrame, parseTime } from '../model/timecode.ts'
import { CommandButton, IconButton } from '../parts/icon-button.tsx'
import { TypedField } from '../parts/typed-field.tsx'
import {
  frame,
  frames,
  inOut,
  isExact,
  isLooping,
  isMuted,
  isPlaying,
  playerError,
  rate,
  speed,
  volume,
} from '../state/playback.ts'
import { clearRange, seek, setSpeed, setVolume } from '../state/transport.ts'

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2]

/** Shows the frame that was typed; false when the text means none. */
const go = (frame: number | undefined): boolean => {
  if (frame !== undefined) seek(frame)
  return frame !== undefined
}

const Position = () => {
  const base = { fps: rate.value, frames: frames.value }
  const currentFrame = frame.value
  const isRendered = isExact.value && !isPlaying.value && playerError.value === null
  return (
    <div class="position">
      <TypedField
        name="Time"
        width={86}
        longest={formatFrame(base.frames, base.fps).length}
        value={formatFrame(currentFrame, base.fps)}
        hint="A time, such as 1:30.5, 2s, 500ms, 60f, 50% or +1s"
        onCommit={(text) => go(parseTime(text, currentFrame, base))}
      />
      <span class="quiet">of {formatFrame(base.frames, base.fps)}</span>
      <TypedField
        name="Frame"
        width={60}
        longest={String(base.frames).length}
        value={String(currentFrame)}
        hint="A frame, counted from 0, or +10"
        onCommit={(text) => go(parseFrame(text, currentFrame, base.frames))}
      />
      <span class="quiet">of {base.frames} frames</span>
      <span class={isRendered ? 'exact-mark on' : 'exact-mark'}>
        {isPlaying.value ? 'playing' : isRendered ? 'as rendered' : 'not exact'}
      </span>
    </div>
  )
}

const Speed = () => {
  const currentSpeed = speed.value
  const speeds = SPEEDS.includes(currentSpeed) ? SPEEDS : [...SPEEDS, currentSpeed].sort((a, b) => a - b)
  return (
    <label class="compact-select" title="Speed">
      <span class="hidden">Speed</span>
      <select value={currentSpeed} onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}>
        {speeds.map((entry) => (
          <option key={entry} value={entry}>
            {entry} ×
          </option>
        ))}
      </select>
    </label>
  )
}

const Volume = () => (
  <div class="volume">
    <CommandButton command="mute" name="Mute" icon={isMuted.value ? 'muted' : 'sound'} isOn={isMuted.value} />
    <input
      type="range"
      aria-label="Volume"
      data-returns-focus
      min={0}
      max={1}
      step={0.05}
      value={isMuted.value ? 0 : volume.value}
      onInput={({ currentTarget }) => setVolume(Number(currentTarget.value))}
    />
  </div>
)

/** Everything that moves the picture. */
export const Transport = () => {
  const hasRange = inOut.value.start !== null || inOut.value.end !== null
  return (
    <div class="transport" role="toolbar" aria-label="Playback">
      <Position />
      <div class="transport-middle">
        <CommandButton command="toStart" name="To the start" icon="start" />
        <CommandButton command="stepBack" name="One frame back" icon="stepBack" />
        <CommandButton
          command="toggle"
          name={isPlaying.value ? 'Pause' : 'Play'}
          icon={isPlaying.value ? 'pause' : 'play'}
        />
        <CommandButton command="stepForward" name="One frame forward" icon="stepForward" />
        <CommandButton command="toEnd" name="To the last frame" icon="end" />
      </div>
      <div class="transport-end">
        <CommandButton command="markIn" name="Begin the range here" icon="in" isOn={inOut.value.start !== null} />
        <CommandButton command="markOut" name="End the range here" icon="out" isOn={inOut.value.end !== null} />
        <IconButton
          name="Remove the range"
          icon="clear"
          isOff={!hasRange}
          onPress={clearRange}
          title="Remove the range (X)"
        />
        <CommandButton command="loop" name="Repeat" icon="loop" isOn={isLooping.value} />
        <Speed />
        <Volume />
      </div>
    </div>
  )
}
