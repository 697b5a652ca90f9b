// Writes docs/lint, one page for each lint rule, from the table of rules; with --check it only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { lintRulePage, lintRules } from '@vid/core/lint'
import { path } from './workspaces.mjs'

const folder = 'docs/lint'
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
mkdirSync(path(folder), { recursive: true })
const existing = new Map(
  readdirSync(path(folder)).map((name) => [name, readFileSync(path(`${folder}/${name}`), 'utf8')]),
)
const stale = [...new Set([...pages.keys(), ...existing.keys()])].filter(
  (name) => pages.get(name) !== existing.get(name),
)

if (!process.argv.includes('--check'))
  for (const name of stale) {
    const text = pages.get(name)
    if (text === undefined) rmSync(path(`${folder}/${name}`))
    else writeFileSync(path(`${folder}/${name}`), text)
  }
else if (stale.length > 0) {
  console.error(`${folder} is out of step with the lint rules (${stale.join(', ')}): run npm run lab -- lint-pages`)
  process.exitCode = 1
}
