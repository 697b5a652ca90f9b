import type { Frame, FrameFormat, RenderPlan, Segment, VidError } from '@vid/protocol'
import { fail } from './kernel-errors.ts'
import type { Watch } from './watch.ts'

const rawBytes = { rgba: 4, yuv420p: 1.5 }

/** Frames on their way from one plugin to another: checked, counted, and blamed on the one that makes them. */
export const superviseFrames = (options: {
  readonly plan: RenderPlan
  readonly segment: Segment
  readonly accepts: readonly FrameFormat[]
  readonly frames: AsyncIterable<Frame>
  readonly watch: Watch
  readonly signal: AbortSignal
  onFrame(): void
}) => {
  const { plan, segment, accepts, frames, watch, signal } = options
  const plugin = plan.capture.name
  const state = { read: 0, waitedMs: 0, failure: undefined as VidError | undefined }
  const check = (frame: Frame) => {
    const wrong = (problem: string) =>
      fail('VID_FRAMES_WRONG', { plugin, problem }, { plugin, hook: 'capture' })
    const wanted = segment.start + state.read
    if (frame.index !== wanted) throw wrong(`frame ${frame.index} came where ${wanted} was due`)
    if (state.read >= segment.frames) throw wrong(`more than the ${segment.frames} frames asked for`)
    if (!accepts.includes(frame.format))
      throw wrong(`format ${frame.format}, but only ${accepts.join(', ')} fit`)
    const bytes =
      frame.format in rawBytes ? plan.width * plan.height * rawBytes[frame.format as 'rgba'] : undefined
    if (bytes !== undefined && plan.width % 2 === 0 && plan.height % 2 === 0 && frame.data.length !== bytes)
      throw wrong(`${frame.data.length} bytes for a ${frame.format} frame of ${bytes}`)
  }
  async function* stream(): AsyncGenerator<Frame> {
    const source = frames[Symbol.asyncIterator]()
    try {
      for (;;) {
        const from = performance.now()
        const { done, value } = await watch.run(plugin, 'capture', () => source.next(), signal)
        state.waitedMs += performance.now() - from
        if (done) break
        check(value)
        state.read += 1
        options.onFrame()
        yield value
      }
      if (state.read < segment.frames)
        throw fail(
          'VID_FRAMES_WRONG',
          { plugin, problem: `${state.read} of ${segment.frames} frames` },
          { plugin, hook: 'capture' },
        )
    } catch (thrown) {
      state.failure = thrown as VidError
      throw thrown
    } finally {
      await source.return?.()
    }
  }
  return { stream: stream(), state }
}
