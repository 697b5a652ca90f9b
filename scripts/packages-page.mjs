// Writes the tables of packages/README.md from the descriptions in their manifests: node scripts/packages-page.mjs [--check].
import { readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { table } from './markdown.mjs'
import { DISTRICTS, path, workspaces } from './workspaces.mjs'

const PAGE = 'packages/README.md'
const MARKED = /(<!-- packages -->\n)[\s\S]*?(<!-- \/packages -->)/

/** What the groups are called on the page, by their folders. */
const GROUPS = [
  ...DISTRICTS.map((district) => [`packages/${district}`, `\`${district}\``]),
  ['plugins', 'Plugins'],
  ['presets', 'Presets'],
]

const rowOf = ({ folder, manifest: { name, description } }) => {
  if (!description) throw new Error(`${folder}/package.json has no description`)
  return [`[\`${name}\`](${posix.relative('packages', folder)})`, description]
}

const all = workspaces()
const tables = GROUPS.map(([group, title]) => {
  const rows = all.filter(({ folder }) => posix.dirname(folder) === group).map(rowOf)
  return `## ${title}\n\n${table([['Package', 'What it does'], ...rows])}`
})

const page = readFileSync(path(PAGE), 'utf8')
if (!MARKED.test(page)) throw new Error(`${PAGE} has no place for the tables of packages`)
const text = page.replace(MARKED, `$1\n${tables.join('\n\n')}\n\n$2`)

if (!process.argv.includes('--check')) writeFileSync(path(PAGE), text)
else if (page !== text) {
  console.error(`${PAGE} is out of step with the packages: run npm run lab -- packages-page`)
  process.exitCode = 1
}
