import {
  defineTarget,
  type EncodedFile,
  mostPages,
  retrySegment,
  type SegmentPart,
  Type,
  withDefault,
} from '@vid/kernel'
import { machineCores } from '@vid/system'
import { createHelpedSegments } from './helped-segments.ts'
import { measureLoad } from './load.ts'
import { createPastCosts } from './past-costs.ts'
import { createWorkerPool } from './worker-pool.ts'
import { firstWorkers, hasMemoryToHold, maxWorkers, worthwhileWorkers } from './workers.ts'

/** Frames after an encoder's lookahead until its load is steady. */
const SPARE_FRAMES = 4

/** Renders on this machine: workers, each with its own page, take segments in order. */
export default defineTarget({
  name: '@vid/target-local',
  options: Type.Object({
    /** How many times a failed segment is retried, with a new page. */
    retries: withDefault(Type.Integer({ minimum: 0, maximum: 10 }), 2),
  }),
  async run(plan, context) {
    const { request, options, machine, lookahead, signal, warn, openStore, renderSegment, join } = context
    const { cores, memoryBytes: memory } = machine
    const share = cores < machineCores() ? cores : undefined
    const page = { ...plan.composition, pixels: plan.width * plan.height }
    const max = maxWorkers(request.workers, mostPages(plan), memory, page, share)
    const files: EncodedFile[] = []
    const stop = new AbortController()
    const stopped = AbortSignal.any([signal, stop.signal])
    const finished = new AbortController()
    /** Resolves when every segment is rendered, or the render is stopped. */
    const over = new Promise<void>((resolve) => {
      AbortSignal.any([stopped, finished.signal]).addEventListener('abort', () => resolve(), { once: true })
    })
    const waiting = plan.segments.map(({ index }) => index)
    /** Frames that are left of each segment that a worker has started. */
    const running = new Map<number, number>()
    const segmentOf = new Map(plan.segments.map((segment) => [segment.index, segment]))
    const helped = createHelpedSegments()
    const framesOf = (index: number) => segmentOf.get(index)?.frames ?? 0
    const left = () => ({
      running: [...running.values()].filter((frames) => frames > 0),
      waiting: waiting.map((index) => ({
        frames: framesOf(index),
        replayed: plan.composition.stateful ? (segmentOf.get(index)?.start ?? 0) : 0,
      })),
      isSliceable: helped.isOpen(),
    })

    const renderWithRetries = (
      index: number,
      part: Pick<SegmentPart, 'onCaptured' | 'encodeAfter'>,
    ): Promise<EncodedFile> => {
      const onFrame = () => {
        running.set(index, (running.get(index) ?? 0) - 1)
        pool.onFrame()
      }
      const render = () => {
        running.set(index, framesOf(index))
        helped.start(index)
        const onSliceable = (help: () => Promise<void>) => helped.offer(index, help)
        return renderSegment(index, { ...part, signal: stopped, onFrame, onSliceable })
      }
      return retrySegment(index, render, { retries: options.retries, signal: stopped, warn })
    }
    /**
     * Starts a segment whose encoder begins once `previous` has ended; resolves when the worker may start the next one.
     * `encoded` resolves when it is finished.
     */
    const startSegment = async (index: number, previous: Promise<void> | undefined) => {
      let onCaptured = () => {}
      const captured = new Promise<void>((resolve) => {
        onCaptured = () => {
          helped.end(index)
          resolve()
        }
      })
      const part = { onCaptured, ...(previous && { encodeAfter: previous }) }
      const encoded = renderWithRetries(index, part)
        .then((file) => {
          files[index] = file
          if (Object.keys(files).length === plan.segments.length) finished.abort()
        })
        .finally(() => helped.end(index))
      // A failure stops the others even before it is awaited.
      encoded.catch((thrown: unknown) => stop.abort(thrown))
      await (hasMemoryToHold(pool.count(), memory, page) ? Promise.race([captured, encoded]) : encoded)
      return { encoded }
    }
    const help = async () => {
      if (stopped.aborted) return
      // Without this page, the others capture all frames; why it cannot be opened, they report if it concerns them.
      const helping = helped.help((index) => running.get(index) ?? 0).catch(() => {})
      // A page that is still being opened when all is rendered is not waited for.
      await Promise.race([helping, over])
    }
    const work = async () => {
      let previous: Promise<void> | undefined
      try {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          stopped.throwIfAborted()
          const { encoded } = await startSegment(index, previous)
          // The encoder of the segment after this one would have to wait for two.
          await previous
          previous = encoded
        }
        await Promise.all([previous, help()])
      } catch (thrown) {
        stop.abort(thrown)
        await Promise.allSettled([previous])
        throw thrown
      }
    }
    const past =
      openStore && max > 1 && request.workers === 'auto' ? createPastCosts(openStore, plan, cores) : undefined
    const busy = () => worthwhileWorkers(firstWorkers(max, cores, plan.composition), cores, plan.segments, page)
    const first = request.workers === 'auto' ? busy() : max
    const pool = createWorkerPool({
      first,
      max,
      settledFrames: lookahead + SPARE_FRAMES,
      measure: () => measureLoad(cores),
      left,
      work,
      onCosts: (costs) => past?.keep(costs),
    })
    try {
      past?.use((costs) => stopped.aborted || pool.expect(costs, cores))
      await pool.run()
    } catch (thrown) {
      // The first failure stopped the others, so it is the one to report.
      throw stop.signal.aborted ? stop.signal.reason : thrown
    } finally {
      await past?.settle()
    }
    return join(files)
  },
})
