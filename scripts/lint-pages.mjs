// Writes docs/lint, one page for each lint rule, from the table of rules; with --check it only compares.
import { lintRulePage, lintRules } from '@vid/core/lint'
import { writePages } from './markdown.mjs'

const outsideCode = (text) => text.replace(/`[^`]*`|[<*_]/g, (match) => (match.length > 1 ? match : `\\${match}`))

const rows = lintRules.map(
  ({ name, severity, what }) => `- [lint/${name}](${name}.md) (${severity}): ${outsideCode(what)}`,
)
const index = `# Lint rules

\`vid lint\` checks a composition by these rules, without a browser. An error breaks the video. A warning reports a likely mistake; \`--strict\` fails on warnings too.
The code of a finding is \`lint/\` and the name of its page. \`npm run lab -- lint-pages\` generates these pages from the rules in \`packages/engine/core/src/lint/rules\`; the examples run as tests.

${rows.join('\n')}
`

const pages = new Map([['README.md', index], ...lintRules.map((rule) => [`${rule.name}.md`, lintRulePage(rule)])])
writePages('docs/lint', pages, { source: 'the lint rules', lab: 'lint-pages' })
