import { example } from '../example.ts'
import type { LintRule } from '../rule.ts'

const linking = (family: string) =>
  example({
    head: `<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=${family}">\n<style>\n  p { font-family: '${family}' }\n</style>`,
    body: '<p>Hello</p>',
  })

/** Rules about fonts that a composition loads. */
export const fontRules: readonly LintRule[] = [
  {
    name: 'font-not-installed',
    severity: 'warning',
    what: 'A family of Google Fonts that no installed package contains.',
    why: 'It is fetched during the render. Without a network, or once Google serves another version, the text looks different.',
    hint: 'Install the package of the family in the project.',
    bad: linking('Elsewhere'),
    good: linking('Inter'),
    *check({ missingFonts }) {
      for (const { family, file, line, hint } of missingFonts)
        yield {
          file,
          line,
          selector: null,
          message: `The font family "${family}" is fetched from Google Fonts, because no installed package contains it.`,
          hint,
        }
    },
  },
]
