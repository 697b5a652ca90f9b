import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { findProject, readEntryText } from '../source/load.ts'
import { readInside } from '../source/project-files.ts'
import { attributeOf, descendants, type Element, lineOf, parseDocument, templateContents } from '../source/tree.ts'
import { readClipTree, type TreeClip } from './clip-tree.ts'

/** An element as a text of a project states it. */
export interface SourceElement {
  /** Relative to the project. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly tag: string
  readonly id: string | null
  readonly classes: readonly string[]
  /** Text that stands in it directly, with single spaces. */
  readonly text: string
}

/** More are not listed. */
const MAX_ELEMENTS = 50_000

const textOf = ({ childNodes }: Element): string =>
  childNodes
    .map((node) => (node.nodeName === '#text' ? (node as Tree.TextNode).value : ' '))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

const elementsOf = (file: string, html: string): SourceElement[] => {
  const document = parseDocument(html)
  const elements: SourceElement[] = []
  for (const parent of [document, ...templateContents(document)])
    for (const element of descendants(parent)) {
      if (elements.length === MAX_ELEMENTS) return elements
      elements.push({
        file,
        line: lineOf(element),
        tag: element.tagName,
        id: attributeOf(element, 'id'),
        classes: (attributeOf(element, 'class') ?? '').split(/\s+/).filter(Boolean),
        text: textOf(element),
      })
    }
  return elements
}

const embeddedFiles = (clips: readonly TreeClip[]): string[] =>
  clips.flatMap(({ embeds, clips: inside }) => [...(embeds === null ? [] : [embeds]), ...embeddedFiles(inside)])

/** The elements of a composition's text and of the files that it embeds: those of the entry first, each in order. */
export const readSourceElements = async (
  projectDir: string,
  entry: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly SourceElement[]> => {
  const options = signal === undefined ? {} : { signal }
  const text = await readEntryText(projectDir, entry, options)
  const dir = await findProject(projectDir)
  const files = new Set(embeddedFiles(await readClipTree(projectDir, text, options)))
  const elements = elementsOf(text.file, text.html)
  for (const file of files) {
    const html = await readInside(dir, file, signal)
    if (html !== null) elements.push(...elementsOf(file, html))
  }
  return elements
}
