import { type CaptureSession, defineCapture, type Frame, type RenderPlan } from '@vid/kernel'

/** A page of one colour, which grows lighter from frame to frame. */
const openSession = ({ width, height }: RenderPlan, signal: AbortSignal): CaptureSession => ({
  probe: async () => ({ duration: null, stateful: false, media: [] }),
  async *frames({ start, frames }): AsyncGenerator<Frame> {
    for (let index = start; index < start + frames; index += 1) {
      signal.throwIfAborted()
      yield { index, format: 'rgba', data: new Uint8Array(width * height * 4).fill(Math.min(255, index)) }
    }
  },
  close: async () => {},
})

/** Draws the frames without a browser. */
export default defineCapture({
  name: '@vid/capture-template',
  build: async () => '1',
  open: async (plan, { signal }) => openSession(plan, signal),
})
