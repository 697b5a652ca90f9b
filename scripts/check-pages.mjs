// Writes docs/check, one page for each rule of vid check, from the rules; with --check it only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { checkRulePage, ruleGroups } from '@vid/check'
import { path } from './workspaces.mjs'

const folder = 'docs/check'

const groups = Object.entries(ruleGroups).map(([group, makers]) => [group, makers.map((make) => make())])

const index = [
  '# Rules of vid check',
  '',
  'What `vid check` finds in a composition, by groups. [Check a composition](../check.md) explains the command. These pages are generated from the rules by `npm run lab -- check-pages`.',
  '',
  ...groups.flatMap(([group, rules]) => [
    `## ${group}`,
    '',
    ...rules.map(({ rule, level, what }) => `- [${rule}](${rule}.md) (${level}): ${what}`),
    '',
  ]),
].join('\n')

const pages = new Map([
  ['README.md', index],
  ...groups.flatMap(([group, rules]) => rules.map((rule) => [`${rule.rule}.md`, checkRulePage(group, rule)])),
])
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
  console.error(
    `${folder} is out of step with the rules of vid check (${stale.join(', ')}): run npm run lab -- check-pages`,
  )
  process.exitCode = 1
}
