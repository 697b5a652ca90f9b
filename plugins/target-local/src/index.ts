import {
  defineTarget,
  type EncodedFile,
  isVidError,
  machineCores,
  machineMemory,
  Type,
  withDefault,
} from '@vid/kernel'
import { measureLoad } from './load.ts'
import { createCrew } from './worker-pool.ts'
import { firstWorkers, holdsTwoEncoders, mostWorkers } from './workers.ts'

/** Renders on this machine: some workers, each with a page of its own, take segments in order. */
export default defineTarget({
  name: '@vid/target-local',
  options: Type.Object({
    /** How often a segment that failed is tried again, with a new page. */
    retries: withDefault(Type.Integer({ minimum: 0, maximum: 10 }), 2),
  }),
  async run(plan, { request, options, signal, warn, renderSegment, join }) {
    const memory = machineMemory()
    const most = mostWorkers(request.workers, plan.segments.length, memory)
    const done: EncodedFile[] = []
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const waiting = plan.segments.map(({ index }) => index)

    const renderWithRetries = async (index: number, onCaptured: () => void): Promise<EncodedFile> => {
      for (let left = options.retries; ; left -= 1) {
        try {
          return await renderSegment(index, { signal: either, onFrame: crew.onFrame, onCaptured })
        } catch (thrown) {
          if (left === 0 || either.aborted || (isVidError(thrown) && thrown.final)) throw thrown
          const reason = thrown instanceof Error ? thrown.message : String(thrown)
          warn({ code: 'VID_SEGMENT_RETRIED', message: `segment ${index} is rendered again: ${reason}` })
        }
      }
    }
    /** Renders a segment; resolves when its frames are taken, with what resolves when it is encoded too. */
    const begin = async (index: number) => {
      let onCaptured = () => {}
      const captured = new Promise<void>((resolve) => {
        onCaptured = resolve
      })
      const encoded = renderWithRetries(index, onCaptured).then((file) => {
        done[index] = file
      })
      // Also when it is not waited for yet.
      encoded.catch((thrown: unknown) => stop.abort(thrown))
      await (holdsTwoEncoders(crew.count(), memory) ? Promise.race([captured, encoded]) : encoded)
      return { encoded }
    }
    const work = async () => {
      let before: Promise<void> | undefined
      try {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          either.throwIfAborted()
          const { encoded } = await begin(index)
          // One encoder at most has frames left while another gets new ones.
          await before
          before = encoded
        }
        await before
      } catch (thrown) {
        stop.abort(thrown)
        await Promise.allSettled([before])
        throw thrown
      }
    }
    const first = request.workers === 'auto' ? firstWorkers(most, machineCores()) : most
    const crew = createCrew({ first, most, measure: measureLoad, waiting: () => waiting.length, work })
    try {
      await crew.run()
    } catch (thrown) {
      // The first failure stopped the others: it is the one to tell.
      throw stop.signal.aborted ? stop.signal.reason : thrown
    }
    return join(done)
  },
})
