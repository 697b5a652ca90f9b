import { captureError, exactPicture, isCapturing, isExactShown } from '../state/exact.ts'
import { isLoading, playerError, replay } from '../state/playback.ts'
import { current, entry, project } from '../state/project.ts'
import { isSilent } from '../state/silence.ts'

/** Why the picture is not what the files say; the last good picture stays below it. */
const ErrorMessage = () => {
  const gone = project.value && entry.value && !current.value
  const error = gone
    ? { message: `${entry.value} does not exist.`, hint: 'Choose another composition, or restore the file.' }
    : (current.value?.error ?? playerError.value)
  if (!error) return null
  return (
    <div class="stage-error" role="alert">
      <strong>{error.message}</strong>
      {error.hint && <span>{error.hint}</span>}
    </div>
  )
}

const statusOf = () => {
  const { done, total } = replay.value ?? { done: 0, total: 0 }
  if (total > 0 && done < total)
    return (
      <>
        <progress aria-label="Replay" max={total} value={done} />
        Replaying frame {done} of {total}
      </>
    )
  if (isSilent.value) return <>No answer yet: a script may not return, or waits for what does not come.</>
  if (isLoading.value) return <>Loading…</>
  if (!isExactShown.value) return null
  if (captureError.value) return <>Not captured: {captureError.value}</>
  if (isCapturing.value) return <>Capturing the exact frame…</>
  return exactPicture.value ? <>Frame {exactPicture.value.frame} as a render captures it</> : null
}

/** What the page has to say about the picture. */
export const StageMessages = () => {
  const status = statusOf()
  return (
    <div class="stage-messages">
      <ErrorMessage />
      {status && (
        <div class="stage-status" role="status">
          {status}
        </div>
      )}
    </div>
  )
}
