import { beforeFrame, isBeforeShown } from '../review/before.ts'
import { since } from '../review/changed-frames.ts'
import type { CapturedFrame } from '../state/captured-frame.ts'
import { exactFrame, isExactShown } from '../state/exact.ts'
import { isLoading, isPlaying, playerError, replay } from '../state/playback.ts'
import { current, entry, project } from '../state/project.ts'
import { isSilent } from '../state/silence.ts'
import { edit } from '../state/staged.ts'

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

const BEFORE = { written: 'before the staged changes, as the files are', head: 'at HEAD, the last commit' } as const

const STAGED = 'as a render captures it, with the staged changes'

const captureStatus = ({ picture, isCapturing, error }: CapturedFrame, what: string) => {
  if (error.value) return <>Not captured: {error.value}</>
  if (isCapturing.value) return <>Capturing the frame {what}…</>
  return (
    picture.value && (
      <>
        Frame {picture.value.frame} {what}
      </>
    )
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
  if (isBeforeShown.value && isPlaying.value) return <>Pause to see the frame before the changes.</>
  if (isBeforeShown.value) return captureStatus(beforeFrame, BEFORE[since.value])
  if (!isExactShown.value) return null
  return captureStatus(exactFrame, (edit.value?.changes ?? 0) > 0 ? STAGED : 'as a render captures it')
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
