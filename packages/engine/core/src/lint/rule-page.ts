import { extname } from 'node:path'
import type { ExampleProject, LintRule } from './rule.ts'

const outsideCode = (text: string) =>
  text.replace(/`[^`]*`|[<*_]/g, (match) => (match.length > 1 ? match : `\\${match}`))

const fileText = (name: string, text: string) =>
  text === ''
    ? `\`${name}\`: any such file.`
    : `\`${name}\`:\n\n\`\`\`${extname(name).slice(1)}\n${text.trimEnd()}\n\`\`\``

const exampleText = (files: ExampleProject) =>
  Object.entries(files)
    .map(([name, text]) => fileText(name, text))
    .join('\n\n')

/** The page of a lint rule, in Markdown: what it reports, why, how it is mended, and both examples. */
export const lintRulePage = ({ name, severity, what, why, hint, bad, good }: LintRule): string => `# lint/${name}

${outsideCode(what)} ${severity === 'error' ? 'An error.' : 'A warning.'}

${outsideCode(why)}

**Fix:** ${outsideCode(hint)}

## Incorrect

${exampleText(bad)}

## Correct

${exampleText(good)}
`
