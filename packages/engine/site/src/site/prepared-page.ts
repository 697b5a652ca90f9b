import {
  type Composition,
  compileComposition,
  NO_COMPOSITION,
  parseComposition,
  type ReadOptions,
  readEntryText,
  resolveVariables,
} from '@vid/core'
import { insertFirst, preparePage } from '@vid/player/prepare'
import { escapeHtml, type FrameRate, isVidError, ratioOf } from '@vid/protocol'
import { type PageConfig, pageScript } from '@vid/runtime'
import type { SiteFonts } from './fonts.ts'
import { nameInHtml } from './generic-families.ts'
import { OWN_ADDRESSES, ownInHtml } from './own-addresses.ts'

/** The path below which media are answered at a frame rate: a fraction's slash would be another part of the path. */
export const mediaBase = (fps: FrameRate): string => `/.vid/${String(fps).replace('/', '-')}/`

/** The frame rate that `mediaBase` was made of. */
export const rateOf = (part: string): FrameRate => (part.includes('-') ? part.replace('-', '/') : Number(part))

/** What documents of a project are prepared with. */
export interface Preparing {
  readonly settings: { readonly fps: FrameRate; readonly values: Readonly<Record<string, unknown>> }
  /** Where a server answers for media; left out where none does. */
  readonly mediaBase?: string
  /** The text of the entry in the shape in which it is rendered; as it is if left out. */
  readonly shape?: (html: string, composition: Composition) => string
  readonly fonts: SiteFonts
  /** Reads the texts of the project as they are staged for a composition; from the disk if left out. */
  readonly textsOf?: (entry: string) => ReadOptions['textOf']
  readonly signal: AbortSignal
}

const configOf = (
  { width, height, declarations }: Composition,
  { fps, values }: Preparing['settings'],
  alpha = false,
): PageConfig => {
  const { num, den } = ratioOf(fps)
  return {
    width,
    height,
    fps: num,
    alpha,
    variables: resolveVariables(declarations, values).values,
    ...(den > 1 && { fpsDivisor: den }),
  }
}

const TEXT_OF_FRAME = /(<iframe\b[^<>]*?\ssrcdoc\s*=\s*)("[^"]*"|'[^']*')/gi

/** The documents that stand in attributes of frames get the page script too. */
const prepareTexts = (html: string, config: PageConfig): string =>
  html.replace(TEXT_OF_FRAME, (_, start: string, quoted: string) => {
    const script = `<script>${pageScript(config)}document.currentScript.remove()</script>`
    return `${start}${quoted.slice(0, 1)}${escapeHtml(script)}${quoted.slice(1)}`
  })

/** A composition as a player plays it: compiled as a render compiles it, with the page script and the fonts. */
const prepareComposition = async (
  dir: string,
  entry: string,
  { settings, mediaBase: base, shape, fonts, textsOf, signal }: Preparing,
  /** Whether it is shown as in a format with alpha: what it does not draw is transparent. */
  alpha: boolean,
): Promise<string> => {
  const options = { signal, textOf: textsOf?.(entry) }
  const read = await readEntryText(dir, entry, options)
  const text = shape ? { ...read, html: shape(read.html, parseComposition(read.html, read)) } : read
  const composition = parseComposition(text.html, text)
  const { html } = await compileComposition(dir, text, options)
  const config = configOf(composition, settings, alpha)
  const page = preparePage({
    html: prepareTexts(nameInHtml(html), config),
    config,
    settings: { duration: composition.duration, ...(base !== undefined && { mediaBase: base }) },
  })
  // The notes of the starting page and the request of the preview are not for the composition.
  const address = alpha ? ',location.pathname' : ''
  return insertFirst(page, `history.replaceState(null,''${address});${fonts.script(html)}`)
}

/** A document that a composition shows in its own frame: the page script runs in it too, as in a render. */
const prepareInner = async (
  dir: string,
  file: string,
  outer: string,
  { settings, fonts, textsOf, signal }: Preparing,
): Promise<string> => {
  const options = { signal, textOf: textsOf?.(outer) }
  const { html } = await readEntryText(dir, file, options)
  const text = await readEntryText(dir, outer, options)
  const config = configOf(parseComposition(text.html, text), settings)
  return insertFirst(nameInHtml(html), `${fonts.script(html)}${pageScript(config)}`)
}

/** A document of a project that a browser asks for. */
export interface AskedDocument {
  readonly file: string
  /** The file of the composition whose document shows it in a frame, if it is one. */
  readonly outer: string | undefined
  /** Whether it is shown as in a format with alpha. */
  readonly alpha: boolean
}

/** Prepares a document of a project: a composition, or what one shows in a frame of its own. */
export const prepareDocument = async (
  dir: string,
  { file, outer, alpha }: AskedDocument,
  preparing: Preparing,
): Promise<string> => {
  try {
    return await prepareComposition(dir, file, preparing, alpha)
  } catch (thrown) {
    const isOther = isVidError(thrown) && NO_COMPOSITION.has(thrown.code)
    // A document that is loaded again names itself.
    if (!isOther || outer === undefined || outer === file) throw thrown
    return prepareInner(dir, file, outer, preparing)
  }
}

/** The same for visitors, whose documents ask their own origin for the files of others. */
export const preparePublicDocument = async (...call: Parameters<typeof prepareDocument>): Promise<string> =>
  insertFirst(ownInHtml(await prepareDocument(...call)), OWN_ADDRESSES)
