import { defaultTreeAdapter as adapter } from 'parse5'
import { describeCharacters, describeScriptFont, drawnCharacters, groupCharacters } from '../../characters.ts'
import { IMPORT } from '../../nesting/nested-styles.ts'
import { attributeOf, type Element } from '../../source/tree.ts'
import { parseDeclarations } from '../../variables/declarations.ts'
import { spotAt } from '../element.ts'
import { example } from '../example.ts'
import { linkedFamilies } from '../project/font-families.ts'
import type { LintFile, LintProject } from '../project/project.ts'
import type { LintRule } from '../rule.ts'

const NOT_RENDERED = new Set(['script', 'style', 'title', 'desc', 'noscript', 'template', 'metadata'])
const DECLARED = 'data-composition-variables'

const RANGE = /u\+([0-9a-f?]+)(?:-([0-9a-f]+))?/gi

/** A predicate for the characters that a `unicode-range` allows. */
const rangeOf = (value: string): ((character: string) => boolean) => {
  const ranges = [...value.matchAll(RANGE)].map(([, first = '', last]) => [
    Number.parseInt(first.replaceAll('?', '0'), 16),
    Number.parseInt(last ?? first.replaceAll('?', 'f'), 16),
  ])
  return (character) => {
    const point = character.codePointAt(0) ?? 0
    return ranges.some(([first = 0, last = 0]) => first <= point && point <= last)
  }
}

const isRemote = (url: string) => /^\s*(?:https?:)?\/\//i.test(url)

/** Whether a file loads fonts whose characters the source text does not reveal. */
const hasUnreadFonts = ({ elements, scripts, sheets }: LintFile): boolean =>
  scripts.some(({ facts }) => facts.fontFaces.length > 0) ||
  elements.some(
    (element) =>
      element.tagName === 'link' &&
      (linkedFamilies(attributeOf(element, 'href') ?? '').length > 0 ||
        (/\bstylesheet\b/i.test(attributeOf(element, 'rel') ?? '') && isRemote(attributeOf(element, 'href') ?? ''))),
  ) ||
  sheets.some(({ sheet }) =>
    sheet.nodes.some(
      (node) =>
        node.type === 'atrule' &&
        node.name.toLowerCase() === 'import' &&
        isRemote(IMPORT.exec(node.params.trim())?.[2] ?? ''),
    ),
  )

/** A predicate for the characters that the declared fonts of a project may have; font files are not read. */
const declaredCharacters = ({ files }: LintProject): ((character: string) => boolean) => {
  if (files.some(hasUnreadFonts)) return () => true
  const ranges: ((character: string) => boolean)[] = []
  for (const { sheets } of files)
    for (const { sheet } of sheets)
      sheet.walkAtRules(/^font-face$/i, (face) => {
        let range: string | undefined
        face.walkDecls(/^unicode-range$/i, ({ value }) => {
          range = value
        })
        ranges.push(range === undefined ? () => true : rangeOf(range))
      })
  return (character) => ranges.some((has) => has(character))
}

/** The text of an element itself, without its children, and where it is written. */
function* textsOf(element: Element): Generator<{ readonly text: string; readonly attribute?: string }> {
  const declarations = attributeOf(element, DECLARED)
  if (declarations !== null)
    for (const { default: value } of parseDeclarations(declarations))
      if (typeof value === 'string') yield { text: value, attribute: DECLARED }
  if (NOT_RENDERED.has(element.tagName)) return
  for (const node of element.childNodes) if (adapter.isTextNode(node)) yield { text: node.value }
}

const CHINESE = '<p>你好</p>'

/** The character that a decoder inserts for invalid bytes. */
const REPLACEMENT = '\uFFFD'

/** Rules about the characters of texts. */
export const characterRules: readonly LintRule[] = [
  {
    name: 'damaged-text',
    severity: 'error',
    what: 'Text with the character �, which stands for bytes that are not valid UTF-8.',
    why: 'The intended characters are lost; the video shows � instead.',
    hint: 'Save the file as UTF-8, and correct the places that an editor shows as �.',
    bad: example({ body: '<p>Gr\uFFFD\uFFFDe</p>' }),
    good: example({ body: '<p>Größe</p>' }),
    *check({ files }) {
      for (const { file, elements } of files)
        for (const element of elements)
          for (const { text, attribute } of textsOf(element))
            if (text.includes(REPLACEMENT))
              yield spotAt(file, element, 'Some of this text is not valid UTF-8 and is shown as �.', attribute)
    },
  },
  {
    name: 'missing-letters',
    severity: 'warning',
    what: 'Text with characters that neither a bundled nor a declared font has.',
    why: 'They are drawn as boxes. vid does not use the fonts of the machine, so that text looks the same everywhere.',
    hint: describeScriptFont(undefined),
    bad: example({ body: CHINESE }),
    good: example(
      {
        head: `<style>\n  @font-face { font-family: 'Brand Sans'; src: url('brand.woff2') }\n  p { font-family: 'Brand Sans' }\n</style>`,
        body: CHINESE,
      },
      { 'brand.woff2': '' },
    ),
    *check(project) {
      const { hasGlyph } = project
      if (hasGlyph === null) return
      const mayHave = declaredCharacters(project)
      for (const { file, elements } of project.files) {
        const first = new Map<string, { readonly element: Element; readonly attribute?: string }>()
        for (const element of elements)
          for (const { text, ...place } of textsOf(element))
            for (const character of drawnCharacters(text))
              if (character !== REPLACEMENT && !first.has(character) && !hasGlyph(character) && !mayHave(character))
                first.set(character, { element, ...place })
        for (const group of groupCharacters([...first.keys()])) {
          const place = first.get(group.characters[0] ?? '')
          if (!place) continue
          const message = `No font has ${describeCharacters(group)}: they are drawn as boxes.`
          const spot = spotAt(file, place.element, message, place.attribute)
          yield { ...spot, hint: describeScriptFont(group.font) }
        }
      }
    },
  },
]
