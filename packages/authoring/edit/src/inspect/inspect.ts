import {
  attributeOf,
  type CssDeclaration,
  type Element,
  fitsSelectors,
  type LintFile,
  labelOf,
  lineOf,
  parseSheet,
} from '@vid/core/source-model'
import { findMentions } from '../follow/mentions.ts'
import type { Target } from '../operations/operation.ts'
import { textProblem, writtenText } from '../plan/text.ts'
import { clipOf, clipsOf, type SourceClip, scopesIn } from '../source/clips.ts'
import { type Located, locate } from '../source/locate.ts'
import { writablePathProblem } from '../source/project-disk.ts'
import { lineOfNode, rulesOf, sheetsOf } from '../source/sheet-source.ts'
import type { Sources } from '../source/sources.ts'

/** Where an element is, for a target of an operation. */
export interface ElementAddress {
  readonly file: string
  readonly path: string
  readonly digest: string
}

/** A timed element of the sources. */
export interface ClipFacts {
  readonly address: ElementAddress
  /** DOM id; null without one. */
  readonly id: string | null
  /** Shortened start tag. */
  readonly element: string
  readonly line: number
  /** The composition whose time its window is in. */
  readonly composition: string | null
  /** As written. */
  readonly written: string
  /** Seconds; null where only the page knows. */
  readonly start: number | null
  readonly end: number | null
  readonly track: number
  readonly mediaStart: number
  /** How often its file is shown. */
  readonly instances: number
}

/** A style of an element as the sources state it. */
export interface StyleFact {
  readonly property: string
  readonly value: string
  /** `inline`, or the selector of a rule. */
  readonly from: string
  readonly file: string
  readonly line: number
}

/** What the sources hold of an element. */
export interface ElementFacts {
  readonly address: ElementAddress
  readonly element: string
  readonly tag: string
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
  /** Why the text cannot be changed is in `reason`. */
  readonly text: { readonly value: string; readonly variable: string | null; readonly reason: string | null }
  readonly styles: readonly StyleFact[]
  readonly clip: ClipFacts | null
  /** Scripts that name it. */
  readonly scripts: readonly { readonly file: string; readonly line: number; readonly selector: string }[]
  readonly instances: number
  /** Why its file cannot be written; null where it can be. */
  readonly locked: string | null
}

/** The address of an element. */
export const elementAddressOf = (sources: Sources, file: LintFile, element: Element): ElementAddress => {
  const tree = sources.treeOf(file)
  const twin = tree.byStart.get(element.sourceCodeLocation?.startOffset ?? -1)
  return { file: file.file, path: (twin && tree.paths.get(twin)) ?? '', digest: sources.digestOf(file.file) ?? '' }
}

const factsOf = (sources: Sources, { file, element, clip, start, end, scope }: SourceClip): ClipFacts => ({
  address: elementAddressOf(sources, file, element),
  id: attributeOf(element, 'id'),
  element: labelOf(element),
  line: lineOf(element),
  composition: scope.id,
  written: clip.start,
  start,
  end,
  track: clip.track,
  mediaStart: clip.mediaStart,
  instances: sources.instancesOf(file.file),
})

/** Every timed element of the sources, in the order of the files. */
export const clipFacts = (sources: Sources): readonly ClipFacts[] =>
  sources.project.files.flatMap((file) =>
    scopesIn(file).flatMap((scope) => clipsOf(scope).map((clip) => factsOf(sources, clip))),
  )

const inlineStyles = ({ file, element }: Located): StyleFact[] => {
  const style = attributeOf(element, 'style')
  const line = element.sourceCodeLocation?.attrs?.style?.startLine ?? lineOf(element)
  try {
    return parseSheet(style ?? '').nodes.flatMap((node) =>
      node.type === 'decl' ? [{ property: node.prop, value: node.value, from: 'inline', file: file.file, line }] : [],
    )
  } catch {
    return [] // A browser drops it as well.
  }
}

const ruleStyles = (sources: Sources, { file, element }: Located): StyleFact[] =>
  sheetsOf(sources, file).flatMap((source) =>
    rulesOf(source)
      .filter(({ selector }) => fitsSelectors(selector, element) === true)
      .flatMap((rule) =>
        (rule.nodes ?? [])
          .filter((node): node is CssDeclaration => node.type === 'decl')
          .map((node) => ({
            property: node.prop,
            value: node.value,
            from: rule.selector,
            file: source.sheet.file,
            line: lineOfNode(source, node),
          })),
      ),
  )

/** What the sources hold of the element that a target stands for. */
export const inspectElement = async (sources: Sources, target: Target): Promise<ElementFacts> => {
  const place = locate(sources, target)
  const { file, element } = place
  const clip = clipOf(file, element)
  const problem = textProblem(place)
  return {
    address: elementAddressOf(sources, file, element),
    element: labelOf(element),
    tag: element.tagName,
    line: lineOf(element),
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    text: {
      value: writtenText(place),
      variable: attributeOf(element, 'data-var-text')?.trim() || null,
      reason: problem?.reason ?? null,
    },
    styles: [...inlineStyles(place), ...ruleStyles(sources, place)],
    clip: clip ? factsOf(sources, clip) : null,
    scripts: findMentions(sources, place, [element]),
    instances: sources.instancesOf(file.file),
    locked: await writablePathProblem(sources.dir, file.file),
  }
}
