import { isVidError, type VidError, type Warning } from '@vid/kernel'
import { type PageConfig, pageScript } from '@vid/runtime'
import { captureFailure } from './capture-errors.ts'
import type { DrivenPage } from './cdp.ts'
import { orAborted, withDeadline } from './deadline.ts'
import { guardNetwork } from './network-guard.ts'
import { watchPage } from './page-events.ts'
import type { CommandResults, EventParams } from './protocol.ts'

/** What a page is opened with. */
export interface PageOptions {
  readonly config: PageConfig
  /** Origin of the asset server, the only one that the page may reach. */
  readonly origin: string
  /** Entry file, relative to the project, with forward slashes. */
  readonly entry: string
  /** Aborts with the reason why the page cannot go on (its browser ended, the render was stopped). */
  readonly signal: AbortSignal
  /** Longest silence of the page's main thread, in milliseconds. */
  readonly livenessMs: number
  warn(warning: Warning): void
}

/** A page of a composition, with its clock at frame 0 and its faults turned into coded errors. */
export interface CapturePage {
  readonly config: PageConfig
  /** Aborts with a coded error once the page cannot go on. */
  readonly failure: AbortSignal
  /** Sends one command; rejects with a coded error. */
  send<M extends string>(method: M, params?: Record<string, unknown>): Promise<M extends keyof CommandResults ? CommandResults[M] : unknown>
  on<E extends keyof EventParams>(event: E, listener: (params: EventParams[E]) => void): () => void
  /** Ends the page's capture with an error. */
  fail(error: VidError): void
  /** Evaluates an expression in the page, waits for its promise, and returns its JSON value. */
  evaluate(expression: string, doing: string): Promise<unknown>
  close(): Promise<void>
}

/** Opens a page on the composition and starts loading it; nothing of the network is reachable from it. */
export const openPage = async (driven: DrivenPage, options: PageOptions): Promise<CapturePage> => {
  const { config, livenessMs } = options
  const faults = new AbortController()
  const failure = AbortSignal.any([options.signal, faults.signal])
  const { port } = driven

  const send: CapturePage['send'] = async (method, params) => {
    try {
      return (await orAborted(port.send(method, params), failure)) as never
    } catch (cause) {
      if (isVidError(cause)) throw cause
      throw await explain(method, cause, failure)
    }
  }
  const evaluate: CapturePage['evaluate'] = async (expression, doing) => {
    const work = send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    const answer = await withDeadline(work, livenessMs, () => page.silence(doing))
    if (!answer.exceptionDetails) return answer.result.value
    const { text, exception } = answer.exceptionDetails
    throw new Error(exception?.description ?? text)
  }
  const page = {
    config,
    failure,
    send,
    evaluate,
    on: (event, listener) => port.on(event, listener as (params: unknown) => void),
    fail: (error) => faults.abort(error),
    close: async () => {
      faults.abort(captureFailure('VID_CAPTURE_ABORTED', { reason: 'the page was closed' }))
      await driven.close()
    },
  } satisfies CapturePage
