import {
  type ElementPatch,
  type FrameReport,
  type FrameRequest,
  type PageBox,
  PLAYER_PORT,
  type PlayerComposition,
  type PlayerFault,
  type PlayerHello,
  type PlayerLaunch,
  type PlayerMessage,
  type PlayerPageCalls,
  type PlayerPageEvents,
} from '@vid/runtime'
import { playerFailure } from './errors.ts'

/** What an iframe loads: an address, or the text of a document. */
export type PageSource = { readonly url: string; readonly isPrepared: boolean } | { readonly html: string }

/** A composition in an iframe, ready to show frames. */
export interface PlayerPage {
  readonly frame: HTMLIFrameElement
  readonly composition: PlayerComposition
  /** Whether it cannot show a frame any more, because it only goes forwards. */
  isBeyond(frame: number): boolean
  show(request: FrameRequest): Promise<FrameReport>
  findPoster(): Promise<number>
  patch(patches: readonly ElementPatch[]): Promise<void>
  boxes(): Promise<readonly PageBox[]>
  readSource(src: string): Promise<ArrayBuffer | null>
  readSound(src: string, from: number, count: number): Promise<ArrayBuffer | null>
  /** Removes it, and rejects the pending calls. */
  close(): void
}

/** CSS pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** How a page is opened. */
export interface PageOpening {
  readonly source: PageSource
  /** The address as the user wrote it, for errors. */
  readonly src: string
  readonly launch: PlayerLaunch
  /** Where the iframe is put; behind everything else there. */
  readonly place: HTMLElement
  readonly signal: AbortSignal
  /** CSS pixels that the composition is expected to have: another size costs a second start. */
  readonly size: PageSize
  onEvent<K extends keyof PlayerPageEvents>(event: K, detail: PlayerPageEvents[K]): void
}

/** The page at an address did not say that it can be played: nothing prepared it. */
export const NOT_PREPARED = Symbol('not prepared')

const createFrame = ({ source, launch, place, size }: PageOpening): HTMLIFrameElement => {
  const frame = document.createElement('iframe')
  frame.style.cssText = `width:${size.width}px;height:${size.height}px`
  frame.name = JSON.stringify(launch)
  frame.title = 'Composition'
  frame.tabIndex = -1
  frame.inert = true
  frame.setAttribute('part', 'composition')
  // The text of a plain composition gets no origin, so that it reaches nothing of the page around it.
  frame.setAttribute('sandbox', 'html' in source ? 'allow-scripts' : 'allow-scripts allow-same-origin')
  if ('html' in source) frame.srcdoc = source.html
  else frame.src = source.url
  place.prepend(frame)
  return frame
}

/** The longest side of a composition that can be rendered. */
const MAX_SIDE = 16384

const isSide = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SIDE

/** A composition is untrusted code, so its messages are validated. */
const isSized = (data: unknown): data is PageSize =>
  data instanceof Object && 'width' in data && 'height' in data && isSide(data.width) && isSide(data.height)

const isHello = (data: unknown): data is PlayerHello =>
  data instanceof Object && 'kind' in data && data.kind === 'vid-player-page' && isSized(data)

/**
 * How long after its load a page can still greet, in milliseconds: both are reported by another process, in any order.
 */
const GREETING_MS = { known: 30_000, unknown: 1000 }

/** Waits for the greeting of a page; rejects with NOT_PREPARED when the page has loaded without one. */
const greeting = (
  frame: HTMLIFrameElement,
  { source: pageSource }: PageOpening,
  signal: AbortSignal,
): Promise<PlayerHello> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController()
    const end = (call: () => void) => {
      controller.abort()
      call()
    }
    const greet = ({ data, source }: MessageEvent<unknown>) => {
      if (source !== null && source === frame.contentWindow && isHello(data)) end(() => resolve(data))
    }
    const options = { signal: controller.signal }
    window.addEventListener('message', greet, options)
    const isKnown = 'html' in pageSource || pageSource.isPrepared
    // A prepared page greets before anything else of it runs.
    const onLoad = () => {
      const timer = setTimeout(() => end(() => reject(NOT_PREPARED)), isKnown ? GREETING_MS.known : GREETING_MS.unknown)
      controller.signal.addEventListener('abort', () => clearTimeout(timer))
    }
    frame.addEventListener('load', onLoad, options)
    signal.addEventListener('abort', () => end(() => reject(signal.reason)), options)
  })

const sendPort = ({ contentWindow }: HTMLIFrameElement): MessagePort => {
  const { port1, port2 } = new MessageChannel()
  contentWindow?.postMessage(PLAYER_PORT, '*', [port2])
  return port1
}

interface Calling {
  resolve(result: never): void
  reject(reason: unknown): void
}

const failureOf = (src: string, { kind, message: reason }: PlayerFault) =>
  playerFailure(kind === 'not-ready' ? 'VID_PLAYER_NOT_READY' : 'VID_PLAYER_SCRIPT', { src, reason })

/** Calls of the page behind a port. */
const createCalls = (port: MessagePort, { src, onEvent }: PageOpening) => {
  const calls = new Map<number, Calling>()
  let lastId = 0
  port.onmessage = ({ data }: MessageEvent<PlayerMessage>) => {
    if ('event' in data) return onEvent(data.event, data.detail as never)
    const pendingCall = calls.get(data.id)
    calls.delete(data.id)
    if ('fault' in data) pendingCall?.reject(failureOf(src, data.fault))
    else pendingCall?.resolve(data.result as never)
  }
  return {
    call: <K extends keyof PlayerPageCalls>(call: K, ...args: Parameters<PlayerPageCalls[K]>) =>
      new Promise<Awaited<ReturnType<PlayerPageCalls[K]>>>((resolve, reject) => {
        calls.set(++lastId, { resolve, reject })
        port.postMessage({ id: lastId, call, args })
      }),
    end(reason: unknown) {
      port.close()
      for (const { reject } of calls.values()) reject(reason)
      calls.clear()
    },
  }
}

/** An iframe of the composition's own size, in which it has begun to load. */
const startFrame = async (opening: PageOpening, signal: AbortSignal): Promise<HTMLIFrameElement> => {
  const frame = createFrame(opening)
  try {
    const { fits, width, height } = await greeting(frame, opening, signal)
    if (fits) return frame
    frame.remove()
    return await startFrame(
      { ...opening, size: { width, height }, launch: { ...opening.launch, isSized: true } },
      signal,
    )
  } catch (thrown) {
    frame.remove()
    throw thrown
  }
}

/**
 * Loads a composition into an iframe and waits until it is ready; rejects with NOT_PREPARED when nothing prepared it.
 */
export const openPlayerPage = async (opening: PageOpening): Promise<PlayerPage> => {
  opening.signal.throwIfAborted()
  const controller = new AbortController()
  const signal = AbortSignal.any([opening.signal, controller.signal])
  const frame = await startFrame(opening, signal)
  const close = () => {
    controller.abort(new DOMException('the composition was replaced', 'AbortError'))
    frame.remove()
  }
  try {
    let isSpent = false
    const { call, end } = createCalls(sendPort(frame), {
      ...opening,
      onEvent(event, detail) {
        isSpent ||= event === 'spent'
        opening.onEvent(event, detail)
      },
    })
    signal.addEventListener('abort', () => end(signal.reason), { once: true })
    const composition = await call('open')
    if (!isSized(composition)) throw playerFailure('VID_PLAYER_SCRIPT', { src: opening.src, reason: 'it has no size' })
    let lastFrame = -1
    return {
      frame,
      composition,
      isBeyond: (beyond) => (isSpent || composition.probe.stateful) && beyond < lastFrame,
      show(request) {
        lastFrame = request.frame
        return call('show', request)
      },
      async findPoster() {
        const poster = await call('findPoster')
        // It has looked at frames up to the end.
        lastFrame = Number.POSITIVE_INFINITY
        return poster
      },
      patch: (patches) => call('patch', patches),
      boxes: () => call('boxes'),
      readSource: (src) => call('readSource', src),
      readSound: (...part) => call('readSound', ...part),
      close,
    }
  } catch (thrown) {
    close()
    throw thrown
  }
}
