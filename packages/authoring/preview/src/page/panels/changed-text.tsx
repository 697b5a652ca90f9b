import { formatSeconds } from '../model/timecode.ts'
import { changedFrames, comparison, hasOtherState, since } from '../review/changed-frames.ts'
import { compositionCheck, findings } from '../review/findings.ts'
import { seekToTime } from '../state/seek-to.ts'
import { panel } from '../state/view.ts'

const THAN = { written: 'from the files as they are written', head: 'from HEAD' } as const

const Intervals = () => (
  <span class="row">
    {changedFrames.value?.intervals.map(({ start, from, until }) => (
      <button key={start} type="button" class="place numbers" onClick={() => seekToTime(from)}>
        {formatSeconds(from)} – {formatSeconds(until)}
      </button>
    ))}
  </span>
)

/** How many frames what is staged changes, and what a check finds in them. */
export const ChangedText = () => {
  if (!hasOtherState.value) return null
  const { differing, frames, sound, error } = changedFrames.value ?? { differing: 0, frames: 0, sound: [], error: null }
  return (
    <div class="card change" role="status">
      {!changedFrames.value && !comparison.error.value && <p class="quiet">Comparing the frames…</p>}
      {comparison.error.value && <p class="error-text">{comparison.error.value}</p>}
      {error && <p class="error-text">{error.message}</p>}
      {changedFrames.value && !error && (
        <>
          <p>
            <strong>
              {differing} of {frames} frames differ
            </strong>{' '}
            {THAN[since.value]}.
          </p>
          <Intervals />
          {sound.length > 0 && <p>The sound differs in {sound.length === 1 ? 'one part' : `${sound.length} parts`}.</p>}
        </>
      )}
      {compositionCheck.isCurrent.value && findings.value.length > 0 && (
        <button
          type="button"
          class="place"
          onClick={() => {
            panel.value = 'problems'
          }}
        >
          {findings.value.length} findings of the check
        </button>
      )}
    </div>
  )
}
