import { isVidError } from '@vid/kernel'
import { backOff, countRetries, delay } from '@vid/system'
import { fail } from '../errors.ts'

/** How a render is followed. */
export interface FollowOptions<P> {
  /** Ends the wait; the render goes on. */
  readonly signal?: AbortSignal
  /** Milliseconds from one look to the next, give or take a tenth; 3 seconds if left out. */
  readonly pollMs?: number
  /** How long AWS may be out of reach, in milliseconds; 15 minutes if left out. */
  readonly awayMs?: number
  onProgress?(progress: P): void
  /** Called with an error after which AWS is asked again. */
  onTrouble?(error: unknown): void
}

const POLL_MS = 3000
const AWAY_MS = 15 * 60_000
const JITTER = 0.2

/** Whether the same question may be answered later: the machine or the network failed, and that may end. */
const mayPass = (thrown: unknown): boolean => isVidError(thrown) && thrown.fault === 'machine' && !thrown.final

/** Looks once; a look that lasts longer than AWS may be out of reach is an error like any other that may pass. */
const lookOnce = async <P>(
  readProgress: (signal: AbortSignal) => Promise<P>,
  signal: AbortSignal,
  limitMs: number,
): Promise<P> => {
  const late = AbortSignal.timeout(limitMs)
  try {
    return await readProgress(AbortSignal.any([signal, late]))
  } catch (thrown) {
    signal.throwIfAborted()
    if (!late.aborted) throw thrown
    const reason = `no answer for ${Math.round(limitMs / 1000)} seconds`
    throw fail('VID_AWS_UNREACHABLE', { action: 'states:DescribeExecution', reason }, { cause: thrown })
  }
}

/** Follows a render until it has ended, through errors that pass; the render goes on when this ends early. */
export const followRender = async <P extends { readonly status: string }>(
  readProgress: (signal: AbortSignal) => Promise<P>,
  {
    signal = new AbortController().signal,
    pollMs = POLL_MS,
    awayMs = AWAY_MS,
    onProgress,
    onTrouble,
  }: FollowOptions<P> = {},
): Promise<P> => {
  const retries = countRetries({
    signal,
    may: mayPass,
    delays: backOff({ firstMs: 1000, maxMs: 20_000 }),
    withinMs: () => awayMs,
    ...(onTrouble && { onRetry: onTrouble }),
  })
  for (;;) {
    signal.throwIfAborted()
    const beganMs = performance.now()
    try {
      const progress = await lookOnce(readProgress, signal, awayMs)
      retries.reset()
      onProgress?.(progress)
      if (progress.status !== 'RUNNING') return progress
      await delay(pollMs * (1 + JITTER * (Math.random() - 0.5)), signal)
    } catch (thrown) {
      await retries.next(thrown, { beganMs })
    }
  }
}
