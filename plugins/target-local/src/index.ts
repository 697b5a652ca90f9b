import { defineTarget, type EncodedFile, isVidError, machineMemory, Type, withDefault } from '@vid/kernel'
import { workerCount } from './workers.ts'

/** Renders on this machine: some workers, each with a page of its own, take segments in order. */
export default defineTarget({
  name: '@vid/target-local',
  options: Type.Object({
    /** How often a segment that failed is tried again, with a new page. */
    retries: withDefault(Type.Integer({ minimum: 0, maximum: 10 }), 2),
  }),
  async run(plan, { request, options, signal, warn, renderSegment, join }) {
    const workers = workerCount(request.workers, plan.segments.length, machineMemory())
    const done: EncodedFile[] = []
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const waiting = plan.segments.map(({ index }) => index)

    const renderWithRetries = async (index: number): Promise<EncodedFile> => {
      for (let left = options.retries; ; left -= 1) {
        try {
          return await renderSegment(index, either)
        } catch (thrown) {
          if (left === 0 || either.aborted || (isVidError(thrown) && thrown.final)) throw thrown
          const reason = thrown instanceof Error ? thrown.message : String(thrown)
          warn({ code: 'VID_SEGMENT_RETRIED', message: `segment ${index} is rendered again: ${reason}` })
        }
      }
    }
    const work = async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        either.throwIfAborted()
        done[index] = await renderWithRetries(index)
      }
    }
    const results = await Promise.allSettled(
      Array.from({ length: workers }, () =>
        work().catch((thrown: unknown) => {
          stop.abort(thrown)
          throw thrown
        }),
      ),
    )
    // The first failure stopped the others: it is the one to tell.
    if (stop.signal.aborted) throw stop.signal.reason
    if (results.some(({ status }) => status === 'rejected')) throw signal.reason
    return join(done)
  },
})
