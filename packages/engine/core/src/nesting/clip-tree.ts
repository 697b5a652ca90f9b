import { posix } from 'node:path'
import { isVidError, rethrowMachineFault } from '@vid/protocol'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { isHost, readClip } from '../source/clips.ts'
import { parseEntryDocument } from '../source/entry-document.ts'
import { findProject } from '../source/load.ts'
import { filesOf, type ReadOptions } from '../source/project-files.ts'
import { decoded, fileOfReference, splitReference } from '../source/project-references.ts'
import { attributeOf, childElements, type Element } from '../source/tree.ts'
import { readStarts } from '../timing/start-time.ts'
import { findNested } from './find-nested.ts'

/** A timed element with those inside it, as the texts of a project state them. */
export interface TreeClip {
  /** Shortened start tag, such as `<video id="talk">`. */
  readonly element: string
  readonly tag: string
  /** DOM id and composition id, as far as it has them. */
  readonly names: readonly string[]
  /** The file that it stands in, relative to the project. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** As written: seconds, or an expression about the end of another element. */
  readonly start: string
  /** Seconds; null when the text does not state it. */
  readonly duration: number | null
  /** Seconds in the time of the entry's root; null when only the page knows. */
  readonly absoluteStart: number | null
  readonly track: number
  /** Its media: a path in the project, or an address of another kind as written; null when it has none. */
  readonly src: string | null
  /** File that it embeds; null for other elements, and when the file cannot be read. */
  readonly embeds: string | null
  /** The clips of the composition that it embeds or holds. */
  readonly clips: readonly TreeClip[]
}

/** As many clips as a page can show. */
const MAX_CLIPS = 5000

const isMedia = ({ tagName }: Element) => ['video', 'audio', 'img'].includes(tagName)

/** Where the media of an element comes from: its own `src`, or that of its first source. */
const sourceOf = (element: Element): string | null => {
  if (!isMedia(element)) return null
  const [source] = childElements(element).filter(({ tagName }) => tagName === 'source')
  return attributeOf(element, 'src') ?? (source ? attributeOf(source, 'src') : null)
}

/** The path in the project of a source that an element in `from` names, as the page finds it. */
const pathOf = (src: string, from: string, resolve: (from: string, path: string) => string): string => {
  if (/^\/(?!\/)/.test(src)) return decoded(posix.normalize(src.slice(1).replace(/[?#].*$/s, '')))
  const reference = splitReference(src)
  return reference === null ? src : decoded(resolve(from, reference.path))
}

const beside = (from: string, path: string): string => posix.join(posix.dirname(from), path)

/** Where the clips of one composition stand, and when it begins. */
interface Place {
  /** Files from the entry to the one that holds them. */
  readonly chain: readonly string[]
  /** Seconds in the time of the entry's root. */
  readonly start: number | null
}

/** Every timed element of a composition, without those of compositions inside it. */
const timedElements = (parent: Tree.ParentNode): Element[] =>
  childElements(parent).flatMap((child) => {
    if (isHost(child)) return [child]
    const inside = timedElements(child)
    return attributeOf(child, 'data-start') === null ? inside : [child, ...inside]
  })

/** The clips of a composition and of everything that it embeds; a file that cannot be embedded has none. */
export const readClipTree = async (
  projectDir: string,
  entry: { readonly file: string; readonly html: string },
  options: ReadOptions = {},
): Promise<readonly TreeClip[]> => {
  const dir = await findProject(projectDir)
  const { has, readText } = filesOf(dir, options.signal, options.textOf)
  const { root, fromTemplate } = parseEntryDocument(entry.html)
  let count = 0

  const embedded = async (host: Element, { chain }: Place) => {
    if (attributeOf(host, 'data-composition-src') === null) return undefined
    try {
      return await findNested(host, chain, readText)
    } catch (thrown) {
      options.signal?.throwIfAborted()
      rethrowMachineFault(thrown)
      // It is reported where the composition is compiled.
      if (!isVidError(thrown)) throw thrown
      return undefined
    }
  }
  const clipsOf = async (parent: Tree.ParentNode, place: Place): Promise<TreeClip[]> => {
    const elements = timedElements(parent).slice(0, Math.max(0, MAX_CLIPS - count))
    count += elements.length
    const { windows } = readStarts(elements.map(readClip))
    const clips: TreeClip[] = []
    for (const [index, element] of elements.entries()) {
      const { clip, start = null } = windows[index] ?? { clip: readClip(element) }
      const nested = await embedded(element, place)
      const absoluteStart = place.start === null || start === null ? null : place.start + start
      const file = place.chain.at(-1) ?? entry.file
      // Paths of a document stay as they are written; those of embedded files are rewritten.
      const isWritten = file === entry.file && !fromTemplate
      const src = sourceOf(element)
      const inside = { chain: nested?.chain ?? place.chain, start: absoluteStart }
      const content = nested ? (nested.nested.root ?? undefined) : isHost(element) ? element : undefined
      clips.push({
        element: clip.element,
        tag: clip.tag,
        names: clip.names,
        line: clip.line,
        file,
        start: clip.start,
        duration: clip.duration,
        absoluteStart,
        track: clip.track,
        embeds: nested?.file ?? null,
        src: src && pathOf(src, file, isWritten ? beside : (from, path) => fileOfReference(has, from, path)),
        clips: content ? await clipsOf(content, inside) : [],
      })
    }
    return clips
  }
  return root === null ? [] : clipsOf(root, { chain: [entry.file], start: 0 })
}
