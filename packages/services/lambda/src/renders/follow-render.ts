import { isVidError } from '@vid/protocol'
import { backOff, countRetries, delay } from '@vid/system'
import { fail } from '../errors.ts'

/** How a render is followed. */
export interface FollowOptions<P> {
  /** Ends the wait; the render continues. */
  readonly signal?: AbortSignal
  /** Milliseconds between two polls, randomized by a tenth; 3 seconds if left out. */
  readonly pollMs?: number
  /** How long AWS may be unreachable, in milliseconds; 15 minutes if left out. */
  readonly awayMs?: number
  onProgress?(progress: P): void
  /** Called with an error after which polling continues. */
  onTrouble?(error: unknown): void
}

const POLL_MS = 3000
const AWAY_MS = 15 * 60_000
const JITTER = 0.2

/** Whether a retry may succeed: the machine or the network failed, possibly temporarily. */
const mayPass = (thrown: unknown): boolean => isVidError(thrown) && thrown.fault === 'machine' && !thrown.final

/** Polls once; a poll that takes longer than AWS may be unreachable is a temporary error too. */
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

/** Follows a render to its end through temporary errors; the render continues if this ends early. */
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
