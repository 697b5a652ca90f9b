import type { FrameReport, FrameRequest } from '@vid/runtime'

/** Shows frames one after the other; of the requests that arrive meanwhile, only the last. */
export interface FrameRequests {
  /** Resolves when this frame or a later request has been shown; rejects when it cannot be. */
  show(request: FrameRequest): Promise<void>
  /** True while a frame is being shown. */
  readonly isBusy: boolean
}

/** What shows the frames, and is notified of each. */
export interface FrameScreen {
  show(request: FrameRequest, signal: AbortSignal): Promise<FrameReport>
  onShow(report: FrameReport, request: FrameRequest): void
}

/** Creates an empty queue; a request that takes long, as a replay does, is stopped by the next one. */
export const createFrameRequests = ({ show, onShow }: FrameScreen): FrameRequests => {
  let nextRequest: FrameRequest | undefined
  let running: Promise<void> | undefined
  let stop = new AbortController()

  const run = async () => {
    for (;;) {
      const request = nextRequest
      if (request === undefined) return
      nextRequest = undefined
      stop = new AbortController()
      try {
        onShow(await show(request, stop.signal), request)
      } catch (thrown) {
        if (!stop.signal.aborted) throw thrown
      }
    }
  }
  return {
    get isBusy() {
      return running !== undefined
    },
    show(request) {
      nextRequest = request
      stop.abort()
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
  }
}
