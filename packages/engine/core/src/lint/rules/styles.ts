import postcss, { type Declaration } from 'postcss'
import { attributeOf } from '../../source/tree.ts'
import { spotAt } from '../element.ts'
import { example } from '../example.ts'
import { familiesIn, familiesOf } from '../project/font-families.ts'
import { linkedFonts } from '../project/linked-fonts.ts'
import type { LintProject } from '../project/project.ts'
import type { LintSheet } from '../project/project-styles.ts'
import type { LintRule, Spot } from '../rule.ts'

/** The selector of the rule that a declaration is in. */
export const selectorAbove = ({ parent }: Declaration): string | null =>
  parent && 'selector' in parent ? String(parent.selector) : null

const isFontFace = ({ parent }: Declaration) =>
  parent?.type === 'atrule' && 'name' in parent && String(parent.name).toLowerCase() === 'font-face'

/** Where a declaration of a style sheet is. */
export const inSheet = ({ file, line }: LintSheet, declaration: Declaration, message: string): Spot => ({
  file,
  line: line + (declaration.source?.start?.line ?? 1) - 1,
  selector: selectorAbove(declaration),
  message,
})

/** All declarations of a style sheet. */
export const declarationsIn = (sheet: postcss.Root): Declaration[] => {
  const declarations: Declaration[] = []
  sheet.walkDecls((declaration) => void declarations.push(declaration))
  return declarations
}

const styleOf = (text: string): Declaration[] => {
  try {
    return declarationsIn(postcss.parse(text))
  } catch {
    // Browsers also ignore a style attribute that they cannot parse.
    return []
  }
}

/** Lower-case names of the families that a project declares or loads itself. */
const declaredFamilies = ({ files }: LintProject): Set<string> => {
  const declared = files.flatMap(({ scripts, sheets }) => [
    ...scripts.flatMap(({ facts }) => facts.fontFaces),
    ...sheets.flatMap(({ sheet }) =>
      declarationsIn(sheet).flatMap((declaration) => (isFontFace(declaration) ? familiesOf(declaration) : [])),
    ),
  ])
  const names = [...declared, ...linkedFonts(files).map(({ family }) => family)]
  return new Set(names.map((name) => name.toLowerCase()))
}

/** Every use of a font family, with its location. */
function* usedFamilies({ files }: LintProject): Generator<{ family: string; spot: Spot }> {
  for (const { file, elements, sheets } of files) {
    for (const sheet of sheets)
      for (const declaration of declarationsIn(sheet.sheet))
        if (!isFontFace(declaration))
          for (const family of familiesOf(declaration)) yield { family, spot: inSheet(sheet, declaration, '') }
    for (const element of elements) {
      const styled = styleOf(attributeOf(element, 'style') ?? '').flatMap(familiesOf)
      for (const family of [...styled, ...familiesIn(attributeOf(element, 'font-family') ?? '')])
        yield { family, spot: spotAt(file, element, '', 'style') }
    }
  }
}

const BACKGROUNDS = new Set(['background', 'background-color', 'background-image'])
/** Whether a selector has a part that is the page itself. */
export const isPageSelector = (selector: string) =>
  selector.split(',').some((one) => /^\s*(html|body|:root)\s*$/i.test(one))
const isSeen = ({ prop, value }: Declaration) =>
  BACKGROUNDS.has(prop.toLowerCase()) &&
  !/^(none|transparent|initial|unset|inherit|#0000|#00000000)$/i.test(value.trim())

const remark = (subject: string) => `The background of ${subject} is not rendered: the format is transparent there.`
const styled = (css: string, body = '<p>Hello</p>') => example({ head: `<style>\n  ${css}\n</style>`, body })

/** Rules about style sheets. */
export const styleRules: readonly LintRule[] = [
  {
    name: 'style-syntax',
    severity: 'warning',
    what: 'A style sheet with a syntax error.',
    why: 'Browsers skip the invalid part, and often more. In an embedded file this is an error, which stops the render.',
    hint: 'Correct the style sheet at that line.',
    bad: styled('p { color: red'),
    good: styled('p { color: red }'),
    *check({ files }) {
      for (const { sheets } of files)
        for (const { file, line, isNested, problem } of sheets)
          if (problem)
            yield {
              file,
              line: line + problem.line - 1,
              selector: null,
              message: `The style sheet cannot be parsed: ${problem.reason}.`,
              ...(isNested && { severity: 'error' as const }),
            }
    },
  },
  {
    name: 'unknown-font',
    severity: 'warning',
    what: 'A font family that is neither bundled nor declared.',
    why: 'Another font replaces it. vid does not use the fonts of the machine, so that text looks the same everywhere.',
    hint: 'Declare it with @font-face and a project file, or use a bundled family.',
    bad: styled("p { font-family: 'Brand Sans', sans-serif }"),
    good: example(
      {
        head: `<style>\n  @font-face { font-family: 'Brand Sans'; src: url('brand.woff2') }\n  p { font-family: 'Brand Sans', sans-serif }\n</style>`,
        body: '<p>Hello</p>',
      },
      { 'brand.woff2': '' },
    ),
    *check(project) {
      if (project.families === null) return
      const families = new Set([...project.families, ...declaredFamilies(project)])
      for (const { family, spot } of usedFamilies(project)) {
        if (families.has(family.toLowerCase())) continue
        families.add(family.toLowerCase())
        yield { ...spot, message: `The font family "${family}" is neither bundled nor declared.` }
      }
    },
  },
  {
    name: 'page-background',
    severity: 'warning',
    what: 'A background on `html` or `body` when the output format has alpha.',
    why: 'Both elements are made transparent in such a format.',
    hint: 'Move the background to the composition root if the video needs it; otherwise remove it.',
    bad: styled('body { background: #204030 }'),
    good: styled('[data-composition-id] { background: #204030 }'),
    *check({ alpha, files }) {
      for (const { file, isEntry, elements, sheets } of files) {
        // In an embedded file they stand for the host, which keeps its background.
        if (!alpha || !isEntry) continue
        for (const sheet of sheets)
          for (const declaration of declarationsIn(sheet.sheet)) {
            const selector = selectorAbove(declaration) ?? ''
            if (isPageSelector(selector) && isSeen(declaration)) yield inSheet(sheet, declaration, remark(selector))
          }
        for (const element of elements) {
          if (element.tagName !== 'html' && element.tagName !== 'body') continue
          const isStyled = styleOf(attributeOf(element, 'style') ?? '').some(isSeen)
          if (isStyled || attributeOf(element, 'bgcolor') !== null)
            yield spotAt(file, element, remark(element.tagName), isStyled ? 'style' : 'bgcolor')
        }
      }
    },
  },
]
