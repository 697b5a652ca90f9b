import { captureFailure } from '../capture-errors.ts'
import type { PageDriver } from './cdp.ts'

/** The parts of a page's request that the network policy needs. */
export interface PageRequest {
  readonly url: string
  readonly method: string
  /** Whether it requests a document: the page's, or that of a frame in it. */
  readonly isDocument: boolean
  readonly isMainFrame: boolean
  /** Whether it requests video or sound. */
  readonly isMedia: boolean
}

/** The answer to a request; `pass` sends it on to the egress proxy. */
export type PageAnswer =
  | 'pass'
  | 'refuse'
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** Receives a page's events while it is captured. */
export interface PageListener {
  /** A document of the main frame was loaded, including the first. */
  loaded(url: string): void
  crashed(): void
  /** The page ended unexpectedly: it crashed, or its browser ended. */
  gone(): void
  dialog(kind: string, text: string): void
  popup(url: string): void
  download(url: string): void
  /** The page wrote to its console; `type` is the call as the browser names it. */
  logged(type: string, text: string): void
  /** A request failed for another reason than `refuse`. */
  failed(url: string, detail: string): void
}

/** How a portable page is opened. */
export interface PortableOpening {
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
  /** Script to run in every frame of the page before the page's scripts. */
  readonly script: string
  /** Address of the egress proxy, through which all traffic of the page must go, even to the loopback. */
  readonly proxy: string
  answer(request: PageRequest): Promise<PageAnswer>
  readonly listener: PageListener
}

/** The result of an expression in a page: its value, or the text of its exception. */
export type Evaluation = { readonly value: unknown } | { readonly thrown: string }

/** How a screenshot is written. */
export interface PortablePicture {
  readonly format: 'png' | 'jpeg'
  /** Of a JPEG, 1 … 100. */
  readonly quality?: number
  /** Whether the picture is transparent where the page paints nothing. */
  readonly clear: boolean
}

/** A page of a browser without the DevTools protocol, with the few operations that every such browser has. */
export interface PortablePage {
  readonly portable: {
    /** Called once, before any other method. */
    open(opening: PortableOpening): Promise<void>
    navigate(url: string): Promise<void>
    /** Awaits a promise; rejects only when the page cannot be reached. */
    evaluate(expression: string): Promise<Evaluation>
    screenshot(picture: PortablePicture): Promise<Buffer>
  }
  close(): Promise<void>
}

/** A part of capture that a browser may lack. */
export type CapturePart = 'alpha' | 'hdr'

const PART_NAMES: Readonly<Record<CapturePart, string>> = {
  alpha: 'pictures with alpha',
  hdr: 'HDR pictures',
}

/** A capture plugin's driver for a browser without the DevTools protocol, which is captured by screenshots only. */
export interface PortableDriver extends PageDriver<PortablePage> {
  /** Its name for users, such as `firefox`. */
  readonly browser: string
  readonly lacks: readonly CapturePart[]
}

/** Distinguishes the two kinds of drivers. */
export const isPortable = (driver: object): driver is PortableDriver => 'lacks' in driver

/** Throws VID_BROWSER_LACKS when a driver's browser lacks a required part. */
export const requireParts = (driver: object, parts: Partial<Record<CapturePart, boolean>>): void => {
  if (!isPortable(driver)) return
  const missing = driver.lacks.find((part) => parts[part])
  if (missing === undefined) return
  throw captureFailure('VID_BROWSER_LACKS', { browser: driver.browser, part: PART_NAMES[missing] })
}
