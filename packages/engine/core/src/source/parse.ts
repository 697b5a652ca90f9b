import { type FrameRate, frameCount } from '@vid/protocol'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { type ElementPlace, fail } from '../errors.ts'
import { type Declaration, parseDeclarations } from '../variables/declarations.ts'
import { readScopes, type TimelineScope } from './clips.ts'
import { isDrawn } from './element-kinds.ts'
import { parseEntryDocument } from './entry-document.ts'
import { readNumber } from './numbers.ts'
import { attributeOf, descendants, type Element, labelOf, lineOf } from './tree.ts'

/** A composition as its source text states it, before any script runs. */
export interface Composition {
  /** File, relative to the project. */
  readonly file: string
  /** `data-composition-id`, else the root's DOM id, else `root`. */
  readonly id: string
  readonly root: ElementPlace
  readonly width: number
  readonly height: number
  /** Seconds; null when only the page knows it, after its scripts have run. */
  readonly duration: number | null
  readonly declarations: readonly Declaration[]
  /** The root's timed elements first, then those of each composition nested in the same text. */
  readonly scopes: readonly TimelineScope[]
}

const MAX_SIDE = 16384

/**
 * The JSON of a composition's variable declarations: from `<html>`, or else from the root of a fragment, or from the
 * template around it.
 */
export const readDeclarationsJson = (
  document: Tree.Document,
  root: Element | null,
  template?: Element,
): string | null => {
  const [html] = descendants(document)
  const texts = [html, root, template].map((element) => element && attributeOf(element, 'data-composition-variables'))
  return texts.find((json) => typeof json === 'string') ?? null
}

/** Width or height in pixels; null when it is missing or cannot be rendered. */
export const readSide = (root: Element, name: 'data-width' | 'data-height'): number | null => {
  const text = attributeOf(root, name)?.trim() ?? ''
  const pixels = /^\d+$/.test(text) ? Number(text) : 0
  return pixels >= 1 && pixels <= MAX_SIDE ? pixels : null
}

/** The duration attribute of a root as text, also from the older `data-end`; null when it is missing. */
export const readLength = (root: Element): string | null =>
  attributeOf(root, 'data-duration') ?? attributeOf(root, 'data-end')

/** Width or height in pixels; VID_COMPOSITION_NO_SIZE when it cannot be rendered. */
export const requireSide = (root: Element, name: 'data-width' | 'data-height', place: ElementPlace): number => {
  const side = readSide(root, name)
  if (side !== null) return side
  throw fail('VID_COMPOSITION_NO_SIZE', {
    ...place,
    attribute: name,
    value: attributeOf(root, name),
    max: MAX_SIDE,
  })
}

/** Checks a duration from the source text or from the page; VID_COMPOSITION_BAD_DURATION when it cannot be rendered. */
export const requireDuration = (seconds: number | null, text: string, place: ElementPlace): number => {
  if (seconds !== null && Number.isFinite(seconds) && seconds > 0) return seconds
  throw fail('VID_COMPOSITION_BAD_DURATION', { ...place, value: text })
}

/** Checks that a root is an element that a page shows; VID_COMPOSITION_ROOT_UNSEEN when it never is. */
export const requireDrawn = (root: Element, place: ElementPlace): void => {
  if (!isDrawn(root))
    throw fail('VID_COMPOSITION_ROOT_UNSEEN', { ...place, reason: `a <${root.tagName}> is never drawn` })
}

/** The longest video: 24 hours at 60 frames a second. */
const MAX_FRAMES = 24 * 60 * 60 * 60

/** The frames of a duration; VID_COMPOSITION_TOO_LONG when they are more than any render has. */
export const requireFrames = (seconds: number, fps: FrameRate, place: ElementPlace): number => {
  const frames = frameCount(seconds, fps)
  if (frames <= MAX_FRAMES) return frames
  throw fail('VID_COMPOSITION_TOO_LONG', {
    ...place,
    value: `${seconds} seconds`,
    frames,
    maxFrames: MAX_FRAMES,
  })
}

/** Parses a composition; throws a coded error that names element, file and line. */
export const parseComposition = (html: string, { file }: { readonly file: string }): Composition => {
  const { document, root } = parseEntryDocument(html)
  if (root === null) throw fail('VID_COMPOSITION_NO_ROOT', { file })
  const place = { element: labelOf(root), file, line: lineOf(root) }
  requireDrawn(root, place)
  const length = readLength(root)
  return {
    file,
    id: attributeOf(root, 'data-composition-id') || attributeOf(root, 'id') || 'root',
    root: place,
    width: requireSide(root, 'data-width', place),
    height: requireSide(root, 'data-height', place),
    duration: length === null ? null : requireDuration(readNumber(length), `"${length}"`, place),
    declarations: parseDeclarations(readDeclarationsJson(document, root)),
    scopes: readScopes(root),
  }
}
