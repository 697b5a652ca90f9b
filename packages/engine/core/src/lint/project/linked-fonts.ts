import { IMPORT } from '../../nesting/nested-styles.ts'
import { attributeOf, type Element, lineOf } from '../../source/tree.ts'
import { linkedFamilies } from './font-families.ts'
import type { LintSheet } from './project-styles.ts'

/** A family that a composition loads from Google Fonts, and where it does so. */
export interface LinkedFont {
  readonly family: string
  readonly file: string
  readonly line: number
}

/** What a file may load fonts with. */
interface FontLoader {
  readonly file: string
  readonly elements: readonly Element[]
  readonly sheets: readonly LintSheet[]
}

/** Every family that the files load from Google Fonts, by links and imports. */
export const linkedFonts = (files: readonly FontLoader[]): LinkedFont[] =>
  files.flatMap(({ file, elements, sheets }) => [
    ...elements
      .filter(({ tagName }) => tagName === 'link')
      .flatMap((element) =>
        linkedFamilies(attributeOf(element, 'href') ?? '').map((family) => ({
          family,
          file,
          line: lineOf(element),
        })),
      ),
    ...sheets.flatMap((sheet) =>
      sheet.sheet.nodes.flatMap((node) =>
        node.type === 'atrule' && node.name.toLowerCase() === 'import'
          ? linkedFamilies(IMPORT.exec(node.params.trim())?.[2] ?? '').map((family) => ({
              family,
              file: sheet.file,
              line: sheet.line + (node.source?.start?.line ?? 1) - 1,
            }))
          : [],
      ),
    ),
  ])
