import type { CallProgress } from '../tools/run-command.ts'

/** A progress notification of the protocol. */
export interface ProgressNotice {
  readonly progress: number
  readonly total: number
  readonly message: string
}

/** Milliseconds between notices. */
const PACE_MS = 250

/** Passes on progress that advances, a few times a second, and always the first of what is done next. */
export const pacedProgress = (pass: (notice: ProgressNotice) => void, now = () => performance.now()) => {
  let doing = ''
  let passedMs = Number.NEGATIVE_INFINITY
  let highest = -1
  return (progress: CallProgress): void => {
    const isNext = progress.doing !== doing
    if (!isNext && now() - passedMs < PACE_MS && progress.done < progress.total) return
    if (!isNext && progress.done <= highest) return
    doing = progress.doing
    passedMs = now()
    // The protocol wants a number that grows, also where another part of the work begins at 0.
    highest = Math.max(highest + 0.001, progress.done)
    pass({
      progress: highest,
      total: Math.max(progress.total, Math.ceil(highest)),
      message: progress.total > 0 ? `${doing} ${progress.done}/${progress.total}` : doing,
    })
  }
}
