// Writes docs/check, one page for each rule of vid check, from the rules; with --check it only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { ruleGroups } from '@vid/check'
import { table } from './markdown.mjs'
import { path } from './workspaces.mjs'

const folder = 'docs/check'
const article = { error: 'An error', warning: 'A warning', note: 'A note' }

const groups = Object.entries(ruleGroups).map(([group, makers]) => [group, makers.map((make) => make())])

const optionRows = ({ optionsSchema, options }) =>
  Object.keys(optionsSchema.properties).map((name) => [
    `\`${name}\``,
    options[name] === undefined ? '' : `\`${JSON.stringify(options[name])}\``,
  ])

const pageOf = (group, rule) => {
  const rows = optionRows(rule)
  const [first] = rows
  const name = first?.[0].replaceAll('`', '')
  return [
    `# check/${rule.rule}`,
    '',
    `${rule.what} ${article[rule.level]}, of the group ${group}.`,
    '',
    rule.why,
    '',
    `**Do:** ${rule.hint}`,
    '',
    ...(rows.length > 0
      ? [
          '## Options',
          '',
          `In \`vid.config.ts\`, such as \`check: { '${rule.rule}': { ${name}: … } }\`:`,
          '',
          table([['Option', 'Default'], ...rows]),
          '',
        ]
      : []),
    '## Not a mistake?',
    '',
    `Write \`data-check-ignore="${rule.rule}"\` with a reason in \`data-check-reason\` on the element or on one around it, or \`check: { '${rule.rule}': 'off' }\` in \`vid.config.ts\`.`,
    '',
  ].join('\n')
}

const index = [
  '# Rules of vid check',
  '',
  'What `vid check` finds in a film, by groups. [Check a film](../check.md) explains the command. These pages are generated from the rules by `npm run lab -- check-pages`.',
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
  ...groups.flatMap(([group, rules]) => rules.map((rule) => [`${rule.rule}.md`, pageOf(group, rule)])),
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
