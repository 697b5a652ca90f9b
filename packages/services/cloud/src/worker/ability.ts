import type { CloudCodec } from '@vid/client/contract'
import { untilReachable } from '../database/until-reachable.ts'
import { watchHealth } from '../health/health.ts'
import { type FailedJob, tryWorker, type WorkerPart } from '../health/trial.ts'
import { encodedHere } from './codecs.ts'
import { recordState, type WorkerState } from './lease.ts'
import type { WorkerParts, WorkerSettings } from './parts.ts'

/** What a worker can do, which may change while it runs. */
export interface Ability {
  state(): WorkerState
  /** Whether it may take jobs. */
  isReady(): boolean
  /**
   * Whether a job failed because this worker cannot do it, so that others may: one of its parts does not work, or it
   * no longer encodes the codec. Rejects if `signal` aborts.
   */
  isAtFault(job: FailedJob, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** Finds out what a worker can do, and watches it. */
export const watchAbility = async (
  parts: WorkerParts,
  settings: WorkerSettings,
  worker: { readonly signal: AbortSignal; id(): string; onReady(): void },
): Promise<Ability> => {
  const { log } = parts
  const { signal } = worker
  let codecs = await encodedHere(settings, log, signal)
  let problem: WorkerPart | null = null
  const state = () => ({ codecs, problem })
  const record = () => untilReachable(() => recordState(parts, worker.id(), state()), signal)
  const health = watchHealth({
    tryWorker: (job, limit) => tryWorker({ ...parts, ...settings, settings: settings.render }, job, limit),
    async onChange(defect) {
      problem = defect?.part ?? null
      if (defect) log.error({ part: defect.part, err: defect.error }, 'the worker takes no jobs: a part does not work')
      else log.warn({}, 'the worker works again')
      await record()
    },
    onReady: worker.onReady,
    onError: (thrown) => {
      if (!signal.aborted) log.error({ err: thrown }, 'the state of the worker could not be recorded')
    },
  })
  /** Notes that the worker does not encode a codec; false if that was known, so that others were asked before. */
  const hasLost = async (codec: CloudCodec): Promise<boolean> => {
    if (!codecs?.includes(codec)) return false
    codecs = codecs.filter((other) => other !== codec)
    log.error({ codec }, 'the worker no longer encodes a codec')
    await record()
    return true
  }
  return {
    state,
    isReady: health.isReady,
    async isAtFault(job, limit) {
      if (job.error.code === 'VID_CODEC_MISSING') return hasLost(job.video.codec ?? 'h264')
      return (await health.examine(job, limit)) !== undefined
    },
    close: health.close,
  }
}
