import { setTimeout as delay } from 'node:timers/promises'
import { isVidError } from '@vid/kernel'
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
/** First pause after an error; each further one in a row is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 20_000

/** Whether the same question may be answered later: the machine or the network failed, and that may end. */
const mayPass = (thrown: unknown): boolean => isVidError(thrown) && thrown.fault === 'machine' && !thrown.final

/** Looks once; a look that lasts longer than AWS may be out of reach is an error like any other that may pass. */
const lookOnce = async <P>(
  look: (signal: AbortSignal) => Promise<P>,
  signal: AbortSignal,
  limitMs: number,
): Promise<P> => {
  const late = AbortSignal.timeout(limitMs)
  try {
    return await look(AbortSignal.any([signal, late]))
  } catch (thrown) {
    signal.throwIfAborted()
    if (!late.aborted) throw thrown
    const reason = `no answer for ${Math.round(limitMs / 1000)} seconds`
    throw fail('VID_AWS_UNREACHABLE', { action: 'states:DescribeExecution', reason }, { cause: thrown })
  }
}

/** Follows a render until it has ended, through errors that pass; the render goes on when this ends early. */
export const followRender = async <P extends { readonly status: string }>(
  look: (signal: AbortSignal) => Promise<P>,
  {
    signal = new AbortController().signal,
    pollMs = POLL_MS,
    awayMs = AWAY_MS,
    onProgress,
    onTrouble,
  }: FollowOptions<P> = {},
): Promise<P> => {
  const pause = (ms: number) => delay(ms * (1 + JITTER * (Math.random() - 0.5)), undefined, { signal })
  let trouble: { readonly sinceMs: number; readonly count: number } | undefined
  for (;;) {
    signal.throwIfAborted()
    const startMs = performance.now()
    try {
      const progress = await lookOnce(look, signal, awayMs)
      trouble = undefined
      onProgress?.(progress)
      if (progress.status !== 'RUNNING') return progress
      await pause(pollMs)
    } catch (thrown) {
      signal.throwIfAborted()
      if (!mayPass(thrown)) throw thrown
      trouble = { sinceMs: trouble?.sinceMs ?? startMs, count: (trouble?.count ?? 0) + 1 }
      const waitMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (trouble.count - 1))
      if (performance.now() - trouble.sinceMs + waitMs > awayMs) throw thrown
      onTrouble?.(thrown)
      await pause(waitMs).catch(() => signal.throwIfAborted())
    }
  }
}
