import { textOf } from '../../nesting/nested-file.ts'
import { scriptKind } from '../../nesting/nested-scripts.ts'
import { attributeOf } from '../../source/tree.ts'
import { parseJsonObject, spotAt, spotInScript } from '../element.ts'
import { example } from '../example.ts'
import type { LintProject } from '../project/project.ts'
import { isOtherLanguage } from '../project/project-scripts.ts'
import type { LintRule } from '../rule.ts'

/** Whether a browser resolves a specifier by itself: an address, or a path that begins with `/`, `./` or `../`. */
const isResolvable = (specifier: string) => /^\.{0,2}\//.test(specifier) || URL.canParse(specifier)

/** The names that import maps of a project resolve; one that ends in `/` is a prefix. */
const mappedNames = ({ files }: LintProject): string[] =>
  files
    .flatMap(({ elements }) => elements)
    .filter(
      (element) => element.tagName === 'script' && /^importmap$/i.test(attributeOf(element, 'type')?.trim() ?? ''),
    )
    .flatMap((element) => {
      const map = parseJsonObject(textOf(element).text)
      const { imports } = 'value' in map ? map.value : {}
      return typeof imports === 'object' && imports !== null ? Object.keys(imports) : []
    })

const SUMS = 'export const sum = (a, b) => a + b\n'
const MAP = '<script type="importmap">{ "imports": { "sums": "./sums.js" } }</script>'
const importing = (specifier: string) =>
  `<script type="module">\n  import { sum } from '${specifier}'\n  document.title = sum(1, 2)\n</script>`

/** Rules about what scripts import, and which scripts a browser can run. */
export const moduleRules: readonly LintRule[] = [
  {
    name: 'bare-import',
    severity: 'error',
    what: 'An import of a package by its name, such as `lodash-es`, that no import map of the page resolves.',
    why: 'Browsers resolve only addresses and paths. The script does not run, so its effects are missing in the video.',
    hint: 'Import an address such as https://esm.sh/lodash-es or a path that starts with "./", or add the name to a <script type="importmap">.',
    bad: example({ body: importing('sums') }, { 'sums.js': SUMS }),
    good: example({ head: MAP, body: importing('sums') }, { 'sums.js': SUMS }),
    *check(project) {
      const scripts = project.files.flatMap((file) => file.scripts)
      // A script may add the import map.
      if (scripts.some(({ facts }) => /importmap/i.test(facts.text))) return
      const names = mappedNames(project)
      const isMapped = (specifier: string) =>
        names.some((name) => (name.endsWith('/') ? specifier.startsWith(name) : specifier === name))
      for (const script of scripts)
        for (const { specifier, line } of script.facts.imports)
          if (!isResolvable(specifier) && !isMapped(specifier))
            yield spotInScript(script, line, `"${specifier}" is the name of a package, which a browser cannot import.`)
    },
  },
  {
    name: 'script-language',
    severity: 'error',
    what: 'A script in TypeScript or JSX: a `.ts`, `.tsx` or `.jsx` file that a page loads or a module imports.',
    why: 'Browsers run only JavaScript. The script does not run, so its effects are missing in the video.',
    hint: 'Compile it to JavaScript, for example with "npx esbuild main.ts --bundle --outfile=main.js", and load that file.',
    bad: example({ body: '<script type="module" src="main.ts"></script>' }, { 'main.ts': 'const count: number = 1\n' }),
    good: example({ body: '<script type="module" src="main.js"></script>' }, { 'main.js': 'const count = 1\n' }),
    *check({ files }) {
      for (const { file, elements, scripts } of files) {
        for (const element of elements) {
          const src = element.tagName === 'script' ? attributeOf(element, 'src') : null
          if (src !== null && scriptKind(element) !== 'data' && isOtherLanguage(src) && !URL.canParse(src))
            yield spotAt(file, element, `"${src}" is not JavaScript, and a browser cannot run it.`, 'src')
        }
        for (const script of scripts)
          for (const { specifier, line } of script.facts.imports)
            if (isOtherLanguage(specifier) && !URL.canParse(specifier))
              yield spotInScript(script, line, `"${specifier}" is not JavaScript, and a browser cannot run it.`)
      }
    },
  },
]
