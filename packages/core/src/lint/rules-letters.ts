import { defaultTreeAdapter as adapter } from 'parse5'
import { describeLetterFont, describeLetters, drawnLetters, groupLetters } from '../characters.ts'
import { IMPORT } from '../nesting/nested-styles.ts'
import { attributeOf, type Element } from '../source/tree.ts'
import { parseDeclarations } from '../variables/declarations.ts'
import { spotAt } from './element.ts'
import { example } from './example.ts'
import { linkedFamilies } from './fonts.ts'
import type { LintFile, LintProject } from './project.ts'
import type { LintRule } from './rule.ts'

const UNSEEN = new Set(['script', 'style', 'title', 'desc', 'noscript', 'template', 'metadata'])
const DECLARED = 'data-composition-variables'

const RANGE = /u\+([0-9a-f?]+)(?:-([0-9a-f]+))?/gi

/** Which letters a `unicode-range` lets a font draw. */
const rangeOf = (value: string): ((letter: string) => boolean) => {
  const ranges = [...value.matchAll(RANGE)].map(([, first = '', last]) => [
    Number.parseInt(first.replaceAll('?', '0'), 16),
    Number.parseInt(last ?? first.replaceAll('?', 'f'), 16),
  ])
  return (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return ranges.some(([first = 0, last = 0]) => first <= point && point <= last)
  }
}

const isRemote = (url: string) => /^\s*(?:https?:)?\/\//i.test(url)

/** Whether fonts may come from where no source text tells their letters. */
const hasUnreadFonts = ({ elements, scripts, sheets }: LintFile): boolean =>
  scripts.some(({ facts }) => facts.fontFaces.length > 0) ||
  elements.some(
    (element) =>
      element.tagName === 'link' &&
      (linkedFamilies(attributeOf(element, 'href') ?? '').length > 0 ||
        (/\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? '') &&
          isRemote(attributeOf(element, 'href') ?? ''))),
  ) ||
  sheets.some(({ sheet }) =>
    sheet.nodes.some(
      (node) =>
        node.type === 'atrule' &&
        node.name.toLowerCase() === 'import' &&
        isRemote(IMPORT.exec(node.params.trim())?.[2] ?? ''),
    ),
  )

/** Which letters the fonts that a project declares may have; what is in a font file is not looked at. */
const declaredLetters = ({ files }: LintProject): ((letter: string) => boolean) => {
  if (files.some(hasUnreadFonts)) return () => true
  const ranges: ((letter: string) => boolean)[] = []
  for (const { sheets } of files)
    for (const { sheet } of sheets)
      sheet.walkAtRules(/^font-face$/i, (face) => {
        let range: string | undefined
        face.walkDecls(/^unicode-range$/i, ({ value }) => {
          range = value
        })
        ranges.push(range === undefined ? () => true : rangeOf(range))
      })
  return (letter) => ranges.some((has) => has(letter))
}

/** Text that an element holds itself, and where it is written. */
function* textsOf(element: Element): Generator<{ readonly text: string; readonly attribute?: string }> {
  const declarations = attributeOf(element, DECLARED)
  if (declarations !== null)
    for (const { default: value } of parseDeclarations(declarations))
      if (typeof value === 'string') yield { text: value, attribute: DECLARED }
  if (UNSEEN.has(element.tagName)) return
  for (const node of element.childNodes) if (adapter.isTextNode(node)) yield { text: node.value }
}

const CHINESE = '<p>你好</p>'

/** Rules about the letters of a text. */
export const letterRules: readonly LintRule[] = [
  {
    name: 'missing-letters',
    severity: 'warning',
    what: 'Text with letters that no bundled and no declared font has.',
    why: 'They are drawn as boxes, also where the machine at hand has a font for them: text looks the same on every machine.',
    hint: describeLetterFont(undefined),
    bad: example({ body: CHINESE }),
    good: example(
      {
        head: `<style>\n  @font-face { font-family: 'Brand Sans'; src: url('brand.woff2') }\n  p { font-family: 'Brand Sans' }\n</style>`,
        body: CHINESE,
      },
      { 'brand.woff2': '' },
    ),
    *check(project) {
      const { letters } = project
      if (letters === null) return
      const mayHave = declaredLetters(project)
      for (const { file, elements } of project.files) {
        const first = new Map<string, { readonly element: Element; readonly attribute?: string }>()
        for (const element of elements)
          for (const { text, ...place } of textsOf(element))
            for (const letter of drawnLetters(text))
              if (!first.has(letter) && !letters(letter) && !mayHave(letter))
                first.set(letter, { element, ...place })
        for (const group of groupLetters([...first.keys()])) {
          const place = first.get(group.letters[0] ?? '')
          if (!place) continue
          const message = `No font has ${describeLetters(group)}: they are drawn as boxes.`
          const spot = spotAt(file, place.element, message, place.attribute)
          yield { ...spot, hint: describeLetterFont(group.font) }
        }
      }
    },
  },
]
