// Writes the table of packages/README.md from the descriptions in their manifests: node scripts/packages-page.mjs [--check].
import { readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { table } from './markdown.mjs'
import { path, workspaces } from './workspaces.mjs'

const PAGE = 'packages/README.md'
const MARKED = /(<!-- packages -->\n)[\s\S]*?(<!-- \/packages -->)/

const rows = workspaces().map(({ folder, manifest: { name, description } }) => {
  if (!description) throw new Error(`${folder}/package.json has no description`)
  return [`[\`${name}\`](${posix.relative('packages', folder)})`, description]
})

const page = readFileSync(path(PAGE), 'utf8')
if (!MARKED.test(page)) throw new Error(`${PAGE} has no place for the table of packages`)
const text = page.replace(MARKED, `$1\n${table([['Package', 'What it does'], ...rows])}\n\n$2`)

if (!process.argv.includes('--check')) writeFileSync(path(PAGE), text)
else if (page !== text) {
  console.error(`${PAGE} is out of step with the packages: run npm run lab -- packages-page`)
  process.exitCode = 1
}
