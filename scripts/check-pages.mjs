// Writes docs/check, one page for each rule of vid check, from the rules; with --check it only compares.
import { checkRulePage, ruleGroups } from '@vid/check'
import { writePages } from './markdown.mjs'

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
writePages('docs/check', pages, { source: 'the rules of vid check', lab: 'check-pages' })
