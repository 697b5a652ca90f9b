/** One DevTools session with a page; events carry their parameters, results are narrowed by the caller. */
export interface CdpPort {
  send(method: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>
  /** Returns the function that stops listening. */
  on(event: string, listener: (params: unknown) => void): () => void
}

/** A page and how to close it. */
export interface DrivenPage {
  readonly port: CdpPort
  close(): Promise<void>
}

/** The exit of a browser process, with its last lines of stderr. */
export interface BrowserExit {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
}

/** A browser process that a driver launched. */
export interface DrivenBrowser<P = DrivenPage> {
  readonly pid: number
  /** Commands to the browser itself, not to a page; without it, no GPU is used. */
  readonly port?: Pick<CdpPort, 'send'>
  newPage(): Promise<P>
  /** Calls the listener once, also when the process has already ended. */
  onExit(listener: (exit: BrowserExit) => void): void
  /** Ends the process, gracefully and then by force; resolves once it has exited. */
  close(): Promise<void>
}

/** Options for starting a browser. */
export interface BrowserLaunch {
  readonly executable: string
  /** The complete environment; a driver must not add variables of this process. */
  readonly env: Readonly<Record<string, string>>
  /** The complete command line; the driver adds only its connection. */
  readonly args: readonly string[]
  readonly signal: AbortSignal
}

/** The interface that a capture plugin implements; the rest of a capture uses its port. */
export interface PageDriver<P = DrivenPage> {
  launch(options: BrowserLaunch): Promise<DrivenBrowser<P>>
}
