import { captureFailure } from '../capture-errors.ts'
import type { PageDriver } from '../page/cdp.ts'

/** A request of a page, so far as it decides what the page is given. */
export interface PageRequest {
  readonly url: string
  readonly method: string
  /** Whether it asks for a document: that of the page, or of a frame in it. */
  readonly isDocument: boolean
  readonly isMainFrame: boolean
  /** Whether it asks for a video or a sound. */
  readonly isMedia: boolean
}

/** What a request is answered with; `pass` lets it go on to the network gate. */
export type PageAnswer =
  | 'pass'
  | 'refuse'
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** What is told of a page while it is captured. */
export interface PageListener {
  /** A document of the main frame has been built; also the first. */
  loaded(url: string): void
  crashed(): void
  /** The page is gone and nobody closed it: it has crashed, or its browser has ended. */
  gone(): void
  dialog(kind: string, text: string): void
  popup(url: string): void
  download(url: string): void
  /** The page logged an error. */
  logged(text: string): void
  /** A request failed that was not refused. */
  failed(url: string, detail: string): void
}

/** How a portable page is opened. */
export interface PortableOpening {
  /** Pixels; a CSS pixel is a pixel of the picture. */
  readonly width: number
  readonly height: number
  /** Script to run in every frame of the page before any of its own. */
  readonly script: string
  /** Address of the proxy that everything of the page must go through, the loopback too. */
  readonly gate: string
  answer(request: PageRequest): Promise<PageAnswer>
  readonly listener: PageListener
}

/** How an expression ended in a page: with a value, or with what it threw in words. */
export type Evaluation = { readonly value: unknown } | { readonly thrown: string }

/** Image of what a page shows. */
export interface PortablePicture {
  readonly format: 'png' | 'jpeg'
  /** Of a JPEG, 1 … 100. */
  readonly quality?: number
  /** Whether what the page does not paint is left clear. */
  readonly clear: boolean
}

/** A page of a browser without the DevTools protocol, in the few words that every such browser understands. */
export interface PortablePage {
  readonly portable: {
    /** Called once, before all else. */
    open(opening: PortableOpening): Promise<void>
    navigate(url: string): Promise<void>
    /** Waits for a promise; rejects only when the page cannot be asked. */
    evaluate(expression: string): Promise<Evaluation>
    screenshot(picture: PortablePicture): Promise<Buffer>
  }
  close(): Promise<void>
}

/** What a browser may lack. */
export type CapturePart = 'alpha' | 'hdr'

const PART_NAMES: Readonly<Record<CapturePart, string>> = {
  alpha: 'pictures with alpha',
  hdr: 'HDR pictures',
}

/** A capture plugin's driver for a browser without the DevTools protocol: it is captured by screenshots alone. */
export interface PortableDriver extends PageDriver<PortablePage> {
  /** As a user names it, such as `firefox`. */
  readonly browser: string
  readonly lacks: readonly CapturePart[]
}

/** Tells the two kinds of drivers apart. */
export const isPortable = (driver: object): driver is PortableDriver => 'lacks' in driver

/** Throws when a driver's browser lacks a part that is wanted. */
export const requireParts = (driver: object, wanted: Partial<Record<CapturePart, boolean>>): void => {
  if (!isPortable(driver)) return
  const missing = driver.lacks.find((part) => wanted[part])
  if (missing === undefined) return
  throw captureFailure('VID_BROWSER_LACKS', { browser: driver.browser, part: PART_NAMES[missing] })
}
