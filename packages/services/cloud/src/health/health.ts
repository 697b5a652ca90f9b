import { backOff, delay } from '@vid/system'
import { type Defect, type FailedJob, isOfMachine, type WorkerPart } from './trial.ts'

/** Whether a worker works: one that does not takes no jobs until a trial has passed. */
export interface WorkerHealth {
  /** Whether it may take jobs: no part is known not to work, or suspected of it. */
  isReady(): boolean
  /** The part that does not work. */
  problem(): WorkerPart | undefined
  /** Tries the worker after a job failed; resolves to the part that does not work. Rejects if `signal` aborts. */
  examine(job: FailedJob, signal: AbortSignal): Promise<Defect | undefined>
  close(): Promise<void>
}

/** Options of a worker's health. */
export interface HealthOptions {
  tryWorker(job: FailedJob, signal: AbortSignal): Promise<Defect | undefined>
  /** Called when a part stops working, and with undefined when all work again. */
  onChange(defect: Defect | undefined): Promise<void>
  /** Called when the worker may take jobs again. */
  onReady(): void
  onError(thrown: unknown): void
  /** Milliseconds before another trial, after a number of failed ones in a row. */
  readonly delays?: (failures: number) => number
}

/** Watches a worker: tries it when asked, and until it works again. */
export const watchHealth = (options: HealthOptions): WorkerHealth => {
  const { tryWorker, onChange, onReady, onError, delays = backOff({ firstMs: 1000, maxMs: 60_000 }) } = options
  const stop = new AbortController()
  let defect: Defect | undefined
  let suspicions = 0
  let recovery: Promise<void> | undefined

  const settle = () => {
    if (suspicions === 0 && !defect) onReady()
  }
  const change = async (next: Defect | undefined) => {
    defect = next
    await onChange(next).catch(onError)
  }
  const recover = async (job: FailedJob) => {
    for (let failures = 1; defect; failures += 1) {
      await delay(delays(failures), stop.signal)
      const trialDefect = await tryWorker(job, stop.signal)
      if (!trialDefect || trialDefect.part !== defect.part) await change(trialDefect)
    }
  }
  const fail = async (trialDefect: Defect, job: FailedJob) => {
    if (defect || stop.signal.aborted) return
    const changed = change(trialDefect)
    recovery = recover(job)
      .catch((thrown: unknown) => {
        if (!stop.signal.aborted) onError(thrown)
      })
      .finally(settle)
    await changed
  }
  return {
    isReady: () => suspicions === 0 && !defect,
    problem: () => defect?.part,
    async examine(job, signal) {
      if (defect) return defect
      // Most errors come of compositions, and others need not wait for their trials.
      const suspects = isOfMachine(job.error) ? 1 : 0
      suspicions += suspects
      try {
        const trialDefect = await tryWorker(job, AbortSignal.any([signal, stop.signal]))
        if (trialDefect) await fail(trialDefect, job)
        return trialDefect
      } finally {
        suspicions -= suspects
        settle()
      }
    },
    async close() {
      stop.abort(new Error('the worker stops'))
      await recovery
    },
  }
}
