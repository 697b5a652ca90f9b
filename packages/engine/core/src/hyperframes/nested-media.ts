import { posix } from 'node:path'
import { spotAt } from '../lint/element.ts'
import { readNumber } from '../source/numbers.ts'
import { attributeOf, type Element } from '../source/tree.ts'
import { type Note, warning } from './note.ts'
import type { Edit } from './sizes.ts'
import type { ImportedFile } from './source.ts'

interface Host {
  readonly file: string
  readonly start: number
  readonly end: number
}

/** A video or a sound whose start vid reads otherwise than HyperFrames. */
interface Misread {
  readonly element: Element
  readonly start: number
  readonly hostStart: number
  /** HyperFrames counts from the start of the whole video, and vid from that of the file. */
  readonly isWhole: boolean
}

const hostsIn = ({ file, elements }: ImportedFile): Host[] =>
  elements.flatMap((element) => {
    const src = attributeOf(element, 'data-composition-src')
    const start = readNumber(attributeOf(element, 'data-start'))
    if (src === null || start === null || start <= 0) return []
    const end = start + (readNumber(attributeOf(element, 'data-duration')) ?? Infinity)
    // A path counts from the project, else from the file that it is written in.
    return [posix.normalize(src), posix.join(posix.dirname(file), src)].map((path) => ({
      file: path,
      start,
      end,
    }))
  })

const isMedia = ({ tagName }: Element) => tagName === 'video' || tagName === 'audio'

const misreadIn = ({ file, elements }: ImportedFile, hosts: readonly Host[]): Misread[] => {
  const siblings = hosts.filter((host) => host.file === file)
  const [first] = siblings
  if (first === undefined) return []
  return elements.filter(isMedia).flatMap((element) => {
    const start = readNumber(attributeOf(element, 'data-start'))
    if (start === null) return []
    const end = start + (readNumber(attributeOf(element, 'data-duration')) ?? Infinity)
    const overlapping = siblings.find((host) => start < host.end && end > host.start)
    const isWhole = attributeOf(element, 'data-hf-media-start-basis') === 'global'
    return isWhole === (overlapping !== undefined)
      ? []
      : [{ element, start, isWhole, hostStart: (overlapping ?? first).start }]
  })
}

const compositionOf = (element: Element): Element | undefined => {
  for (let node = element.parentNode; node && 'attrs' in node; node = node.parentNode)
    if (attributeOf(node, 'data-composition-id') !== null) return node
  return undefined
}

/** A name that no element of a file has. */
const freeName = ({ elements }: ImportedFile): string => {
  const ids = new Set(
    elements.flatMap((element) => ['id', 'data-composition-id'].map((name) => attributeOf(element, name))),
  )
  const name = (count: number) => (count === 1 ? 'begin' : `begin-${count}`)
  let count = 1
  while (ids.has(name(count))) count += 1
  return name(count)
}

/** Lets what begins with its file follow an empty element at the end of it, which begins there without a doubt. */
const followEdits = (source: ImportedFile, misread: readonly Misread[]) => {
  const root = source.elements.find((element) => attributeOf(element, 'data-composition-id') !== null)
  const end = root?.sourceCodeLocation?.endTag?.startOffset
  if (end === undefined) return { edits: [], left: misread }
  const name = freeName(source)
  const followed = misread.flatMap((each) => {
    const place = each.element.sourceCodeLocation?.attrs?.['data-start']
    if (each.isWhole || place === undefined || compositionOf(each.element) !== root) return []
    const to = `data-start="${each.start === 0 ? name : `${name} + ${each.start}`}"`
    return [{ each, edit: { start: place.startOffset, end: place.endOffset, to } }]
  })
  const mark = `<i id="${name}" hidden data-start="0" data-duration="0"></i>`
  return {
    edits: [...followed.map(({ edit }) => edit), ...(followed.length > 0 ? [{ start: end, end, to: mark }] : [])],
    left: misread.filter((one) => !followed.some(({ each }) => each === one)),
  }
}

const FOLLOW =
  'Let it follow an element of the same file: add <i id="begin" data-start="0" data-duration="0"></i>, and begin at data-start="begin".'
const SUBTRACT = 'Count data-start from the start of the embedded file.'

const noteOf = (file: string, { element, start, hostStart, isWhole }: Misread): Note => {
  const whole = 'the start of the whole video'
  const part = `${hostStart} s, where the file is embedded`
  const message = `data-start="${start}" counts from ${isWhole ? part : whole} in vid, and not from ${isWhole ? whole : part}.`
  return warning('nested-media', spotAt(file, element, message, 'data-start'), isWhole ? SUBTRACT : FOLLOW)
}

/** Video and sound of embedded files whose start vid takes for one of the whole video, and HyperFrames does not. */
export const nestedMedia = (
  files: readonly ImportedFile[],
): { editsOf(file: string): readonly Edit[]; readonly notes: readonly Note[] } => {
  const hosts = files.flatMap(hostsIn)
  const results = files.map((source) => ({ source, ...followEdits(source, misreadIn(source, hosts)) }))
  const edits = new Map(results.map(({ source, edits }) => [source.file, edits]))
  return {
    editsOf: (file) => edits.get(file) ?? [],
    notes: results.flatMap(({ source, left }) => left.map((media) => noteOf(source.file, media))),
  }
}
