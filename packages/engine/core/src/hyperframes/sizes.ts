import { attributeOf, type Element } from '../source/tree.ts'
import type { ImportedFile } from './source.ts'

/** A piece of a text and what replaces it. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly to: string
}

const pixels = (element: Element, name: string): string => {
  const text = attributeOf(element, name)?.trim() ?? ''
  return /^\d+$/.test(text) ? `${text}px` : '100%'
}

/** Gives the root of an embedded file the size that it declares, as HyperFrames does while it plays. */
const rootSize = ({ root }: ImportedFile): Edit[] => {
  const tag = root?.sourceCodeLocation?.startTag
  if (!root || !tag) return []
  const size = `width: ${pixels(root, 'data-width')}; height: ${pixels(root, 'data-height')}`
  const location = root.sourceCodeLocation?.attrs?.style
  if (location !== undefined) {
    const style = (attributeOf(root, 'style') ?? '').trimEnd().replace(/;$/, '').replaceAll('"', "'")
    return [{ start: location.startOffset, end: location.endOffset, to: `style="${style}; ${size}"` }]
  }
  const position = tag.startOffset + 1 + root.tagName.length
  return [{ start: position, end: position, to: ` style="${size}"` }]
}

/** Leaves timed children of the root where the layout puts them: stronger than vid's own rule, weaker than any class. */
const PLACE = '<style>:is(x, *):where([data-composition-id] > [data-start]) { left: auto; top: auto }</style>'

/** Shows what is on: stronger than a rule of a style sheet, weaker than an animation. */
const VISIBLE = '<style>:is(#x#x#x, *)[data-start] { visibility: visible }</style>'

const isTimed = (element: Element): boolean => attributeOf(element, 'data-start') !== null

const headRules = ({ elements, root }: ImportedFile, areHidden: boolean): Edit[] => {
  const head = elements.find(({ tagName }) => tagName === 'head')?.sourceCodeLocation?.startTag
  const arePlaced = elements.some((element) => element !== root && isTimed(element))
  if (!head) return []
  return [...(arePlaced ? [PLACE] : []), ...(areHidden ? [VISIBLE] : [])].map((to) => ({
    start: head.endOffset,
    end: head.endOffset,
    to,
  }))
}

/**
 * Whether a style sheet of the project hides something that HyperFrames may show: it sets the visibility of each timed
 * element itself.
 */
export const hidesClips = (files: readonly ImportedFile[]): boolean =>
  files.some(({ file, text }) => !/\.m?js$/i.test(file) && /(?<![\w-])visibility\s*:\s*hidden/.test(text))

/** What sizes, places and shows elements in HyperFrames without being written anywhere. */
export const sizeEdits = (source: ImportedFile, areHidden: boolean): Edit[] =>
  source.file === 'index.html' ? headRules(source, areHidden) : rootSize(source)
