import { posix } from 'node:path'
import { spotAt } from '../lint/element.ts'
import { readNumber } from '../source/numbers.ts'
import { attributeOf, type Element } from '../source/tree.ts'
import { type Note, warning } from './note.ts'
import type { SourceFile } from './source.ts'

interface Host {
  readonly file: string
  readonly start: number
  readonly end: number
}

const hostsIn = ({ file, elements }: SourceFile): Host[] =>
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

const FOLLOW =
  'Let it follow an element of the same file: add <i id="begin" data-start="0" data-duration="0"></i>, and begin at data-start="begin".'
const SUBTRACT = 'Count data-start from the start of the embedded file.'

/** Video and sound of embedded files whose start vid takes for one of the whole video, and HyperFrames does not. */
export const nestedMedia = (files: readonly SourceFile[]): Note[] => {
  const hosts = files.flatMap(hostsIn)
  return files.flatMap(({ file, elements }) =>
    elements.filter(isMedia).flatMap((element) => {
      const start = readNumber(attributeOf(element, 'data-start'))
      const own = hosts.filter((host) => host.file === file)
      if (start === null || own.length === 0) return []
      const end = start + (readNumber(attributeOf(element, 'data-duration')) ?? Infinity)
      const taken = own.find((host) => start < host.end && end > host.start)
      const isWhole = attributeOf(element, 'data-hf-media-start-basis') === 'global'
      if (isWhole === (taken !== undefined)) return []
      const [host] = taken ? [taken] : own
      const [whole, part] = ['the start of the whole video', `${host?.start} s, where the file is embedded`]
      const message = `data-start="${start}" counts from ${isWhole ? part : whole} in vid, and not from ${isWhole ? whole : part}.`
      return [
        warning('nested-media', spotAt(file, element, message, 'data-start'), isWhole ? SUBTRACT : FOLLOW),
      ]
    }),
  )
}
