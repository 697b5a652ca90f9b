import { setMaxListeners } from 'node:events'
import { describeCause, isVidError, type VidError } from '@vid/protocol'
import { captureFailure } from '../capture-errors.ts'
import type { Shortage } from '../shortage.ts'
import type { DrivenPage } from './cdp.ts'
import { withCdpLog } from './cdp-log.ts'
import { EXIT_MS, orAborted, withDeadline } from './deadline.ts'
import { createFailedLoads, type FailedLoads } from './failed-loads.ts'
import type { CommandResults, EventParams } from './protocol.ts'

type ResultOf<M extends string> = M extends keyof CommandResults ? CommandResults[M] : unknown

/** The commands and events of one page; its failures become coded errors. */
export interface PageLink {
  /** Aborts with a coded error once the page cannot go on. */
  readonly failure: AbortSignal
  send<M extends string>(method: M, params?: Record<string, unknown>): Promise<ResultOf<M>>
  on<E extends keyof EventParams>(event: E, listener: (params: EventParams[E]) => void): () => void
  /** Ends the page's capture with an error. */
  fail(error: VidError): void
  /** Addresses of the page's scripts by the id that the debugger gives them. */
  readonly scripts: ReadonlyMap<string, string>
  readonly failedLoads: FailedLoads
  /**
   * The error for a file that the browser could not load while this machine lacked room or memory, which is no fault of the
   * page; undefined where it lacked nothing.
   */
  starved(url: string, detail: string): VidError | undefined
  /** The error of a page that is late, or that of this machine if it lacks room or memory, which keeps a page from going on. */
  late(error: VidError): VidError
  /** A text of the page in which addresses of the project are as the author wrote them. */
  plain(text: string): string
}

/** A command that fails because the page is closing rejects with the reason for that, which arrives later. */
const REASON_GRACE_MS = 10_000

/** Failures of a page, and the reason why it cannot continue, with which `signal` aborts. */
export const createFaults = (origin: string, signal: AbortSignal, shortage: () => Shortage) => {
  const faults = new AbortController()
  const failure = AbortSignal.any([signal, faults.signal])
  // Each pending command adds a listener.
  setMaxListeners(0, failure)
  const plain = (text: string) => text.replaceAll(`${origin}/`, '')
  const crash = (cause?: unknown) =>
    captureFailure('VID_PAGE_CRASHED', { shortage: shortage() }, cause === undefined ? {} : { cause })
  const ofMachine = (failed: string): VidError | undefined => {
    const lack = shortage()
    if (lack.folder === undefined && !lack.isKilled) return undefined
    return captureFailure('VID_PAGE_STARVED', { failed, shortage: lack })
  }
  return {
    failure,
    /** The error of a page that crashed just now. */
    crash,
    fail: (error: VidError) => faults.abort(error),
    failedLoads: createFailedLoads(),
    starved: (url: string, detail: string) => ofMachine(`The browser could not load ${plain(url)}: ${plain(detail)}`),
    late: (error: VidError) => ofMachine(error.message.replace(/\.$/, '')) ?? error,
    plain,
    /** Throws the reason of a refused command; `gone` matches the messages of a page that is closing. */
    async explain(method: string, cause: unknown, gone = /closed|detached|crashed/i): Promise<never> {
      if (isVidError(cause)) throw cause
      const refused = captureFailure('VID_BROWSER_PROTOCOL', { method, detail: describeCause(cause) }, { cause })
      if (!gone.test(describeCause(cause))) throw refused
      const isCrash = /crashed/i.test(describeCause(cause))
      const [grace, unknown] = isCrash ? [EXIT_MS, crash(cause)] : [REASON_GRACE_MS, refused]
      const later = new Promise<never>(() => undefined)
      throw await withDeadline(orAborted(later, failure), grace, async () => unknown).catch((reason) => reason)
    },
  }
}

/** Links to a page that a driver opened; `signal` aborts with the reason once the page cannot continue. */
export const linkPage = (
  page: DrivenPage,
  origin: string,
  { signal, shortage }: { readonly signal: AbortSignal; shortage(): Shortage },
): PageLink => {
  const port = withCdpLog(page.port)
  const { explain, crash, ...faults } = createFaults(origin, signal, shortage)
  const { failure } = faults
  const scripts = new Map<string, string>()
  const on: PageLink['on'] = (event, listener) => port.on(event, listener as (params: unknown) => void)
  // From the first command on: a page that dies before its address is opened would only stop answering.
  on('Inspector.targetCrashed', () => faults.fail(crash()))
  on('Debugger.scriptParsed', ({ scriptId, url }) => url !== '' && scripts.set(scriptId, url))
  return {
    ...faults,
    scripts,
    on,
    // The one place where the protocol's answers get their types.
    send: (method, params) =>
      orAborted(port.send(method, params), failure).catch((cause) => explain(method, cause)) as never,
  }
}
