import { type Element, fitsSelectors, labelOf, type ScriptNode, walkScript } from '@vid/core/source-model'
import { addNote, type Plan } from '../patch/plan.ts'
import type { Located } from '../source/locate.ts'
import type { Sources } from '../source/sources.ts'
import { readGsapCalls } from './gsap-calls.ts'
import { lineIn, type ScriptSource, scriptsOf } from './script-source.ts'
import { idSelector, lookedUp, readGlobals } from './script-targets.ts'

/** A place of a script that names an element by a selector or an id. */
export interface Mention {
  readonly file: string
  readonly line: number
  /** The selector as it is written. */
  readonly selector: string
}

const fits = (selector: string, elements: ReadonlySet<Element>): boolean =>
  [...elements].some((element) => fitsSelectors(selector, element) === true)

/** Whether any text of a script can be a selector of single elements: words alone are tags only where they are looked up. */
const isSelector = (text: string) => /[#.[]/.test(text) && text.length < 200 && !/[<{\n]/.test(text)

const mentionsIn = (source: ScriptSource, elements: ReadonlySet<Element>): readonly Mention[] => {
  const mentions: Mention[] = []
  const add = (node: ScriptNode, selector: string) =>
    mentions.push({ file: source.script.file, line: lineIn(source, node), selector })
  walkScript(source.program, (node, ancestors) => {
    for (const name of readGlobals(node)) if (fits(idSelector(name), elements)) add(node, `#${name}`)
    if (node.type !== 'Literal' || typeof node.value !== 'string') return
    const parent: ScriptNode | undefined = ancestors.at(-2)
    const selector = (parent && lookedUp(parent, node.value)) ?? (isSelector(node.value) ? node.value : undefined)
    if (selector !== undefined && fits(selector, elements)) add(node, node.value)
  })
  return mentions
}

/** Where the scripts of a file name elements. */
export const findMentions = (sources: Sources, { file }: Located, elements: Iterable<Element>): readonly Mention[] => {
  const set = new Set(elements)
  return scriptsOf(sources, file).flatMap((source) => mentionsIn(source, set))
}

/** Says which scripts name elements and could not be followed; the calls of GSAP are left to others. */
export const noteMentions = (
  plan: Plan,
  sources: Sources,
  place: Located,
  elements: Iterable<Element>,
  text: string,
): void => {
  const calls = new Set(
    scriptsOf(sources, place.file)
      .flatMap(readGsapCalls)
      .map(({ source, line }) => `${source.script.file}:${line}`),
  )
  for (const { file, line, selector } of findMentions(sources, place, elements))
    if (!calls.has(`${file}:${line}`))
      addNote(plan, {
        kind: 'script',
        file,
        line,
        text: `A script uses "${selector}" of ${labelOf(place.element)}: ${text}.`,
      })
}
