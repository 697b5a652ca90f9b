import { attributeOf, type Element } from '../source/tree.ts'
import { type Note, warning } from './note.ts'
import type { Edit } from './sizes.ts'
import { type ImportedFile, lineAt } from './source.ts'

/** `hyperframesAnime.register(name, timeline, { labels })`; in the options, braces nest once. */
const REGISTER =
  /(?:\bwindow\s*\.\s*)?\bhyperframesAnime\s*\??\.\s*register\s*(?:\?\.\s*)?\(\s*("[^"\n]*"|'[^'\n]*'|[\w$.]+)\s*,\s*([\w$.]+)\s*(?:,\s*(?:(?:[\w$.]+|\{(?:[^{}]|\{[^{}]*\})*\})\s*(?:,\s*)?)?)?\)/g

/** What stands before a call whose result is used: an assignment in its place would mean something else. */
const IS_USED = /(?:[=(,:?[!+]|\b(?:return|await|yield|new|typeof|void|const|let|var))\s*$/
const IS_GUARDED = /(?:&&|\|\|)\s*$/

interface Registration extends Edit {
  readonly isUsed: boolean
}

/** Whether a name in quotes is that of no composition: such a timeline follows the whole video. */
const isForeign = ({ elements }: ImportedFile, name: string): boolean =>
  /^["']/.test(name) &&
  elements.length > 0 &&
  elements.every((element) => attributeOf(element, 'data-composition-id') !== name.slice(1, -1))

/** Properties whose start anime.js takes for 0, or 1, when a style sheet sets `transform`. */
const IMPLICIT_START = /\b(?:translate[XYZ]?|scale[XYZ]?|rotate[XYZ]?)\s*:\s*(?![[{\s])[^,}\n]+/g

/** Whether the braces around a place belong to the argument of a call, and not to a rule of a style sheet. */
const isInCall = (text: string, index: number): boolean => {
  const open = text.lastIndexOf('{', index)
  return open > text.lastIndexOf('}', index) && /[(,]\s*$/.test(text.slice(Math.max(0, open - 80), open))
}

const cssOf = (element: Element): string =>
  element.tagName === 'style'
    ? element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
    : (attributeOf(element, 'style') ?? '')

/** The first tween that begins at a transform of a style sheet, in a file that has one. */
const implicitStart = ({ text, elements }: ImportedFile): RegExpExecArray | undefined =>
  elements.some((element) => /(?<![\w-])transform\s*:\s*(?!none\b)/.test(cssOf(element)))
    ? [...text.matchAll(IMPLICIT_START)].find(({ index }) => isInCall(text, index))
    : undefined

const registrationsIn = (source: ImportedFile): Registration[] => {
  // What begins at a transform of a style sheet would be shown without it from the start.
  const start = implicitStart(source) ? '' : '.init()'
  return [...source.text.matchAll(REGISTER)].map((match) => {
    const [call, name = '', timeline = ''] = match
    const before = source.text.slice(Math.max(0, match.index - 40), match.index)
    const lines = '\n'.repeat(call.split('\n').length - 1)
    const assignment = isForeign(source, name)
      ? `window.__hfAnime =${lines} [...(window.__hfAnime ?? []), ${timeline}${start}]`
      : `window.__timelines[${name}] =${lines} ${timeline}${start}`
    return {
      start: match.index,
      end: match.index + call.length,
      to: IS_GUARDED.test(before) ? `(${assignment})` : assignment,
      isUsed: IS_USED.test(before),
    }
  })
}

/**
 * Timelines of anime.js are registered as those of GSAP are. `init()` shows what begins later as it will begin, which
 * HyperFrames does when a timeline is registered.
 */
export const animeEdits = (source: ImportedFile): Edit[] =>
  registrationsIn(source).flatMap(({ isUsed, ...edit }) => (isUsed ? [] : [edit]))

/** A file without the calls that become assignments; every other character stays at its place. */
export const withoutRegistrations = (source: ImportedFile): ImportedFile => ({
  ...source,
  text: animeEdits(source).reduce(
    (text, { start, end }) => text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end),
    source.text,
  ),
})

/** Tweens whose start HyperFrames reads from a style sheet, and anime.js does not. */
export const animeStarts = (source: ImportedFile): Note[] => {
  const { file, text } = source
  const tween = registrationsIn(source).length > 0 ? implicitStart(source) : undefined
  if (tween === undefined) return []
  const message = `anime.js does not begin a tween such as \`${tween[0].trim()}\` at the transform of a style sheet, and HyperFrames does.`
  const hint = 'Give both values where an element has a transform of its own, such as `scale: [0, 1]`.'
  return [warning('anime-start', { file, line: lineAt(text, tween.index), selector: null, message }, hint)]
}
