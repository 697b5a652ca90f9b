import { watchProject } from '@vid/analysis/watch'
import { stopped } from '@vid/command'
import type { CheckResult } from '../events.ts'

/** What is done after each save. */
export interface WatchOptions {
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly signal: AbortSignal
  /** Checks the composition; a failure is reported, and the next save tried. */
  check(signal: AbortSignal): Promise<CheckResult>
  onResult(result: CheckResult, before: CheckResult | undefined): void
  onFailure(thrown: unknown): void
}

/** Checks a composition, and again after each save, until it is stopped; a save during a check stops that. */
export const watchCheck = async ({ projectDir, signal, check, onResult, onFailure }: WatchOptions): Promise<void> => {
  let before: CheckResult | undefined
  let running: AbortController | undefined
  let wake = () => {}
  let isStale = true
  const watch = await watchProject(projectDir, {
    skip: () => false,
    onFailure: (reason) => onFailure(new Error(reason)),
    onChange: () => {
      isStale = true
      running?.abort()
      wake()
    },
  })
  const end = stopped(signal)
  try {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      if (!isStale) {
        await Promise.race([changed, end])
        continue
      }
      isStale = false
      running = new AbortController()
      try {
        const result = await check(AbortSignal.any([signal, running.signal]))
        onResult(result, before)
        before = result
      } catch (thrown) {
        if (!running.signal.aborted && !signal.aborted) onFailure(thrown)
      }
    }
  } finally {
    await watch.close()
  }
}
