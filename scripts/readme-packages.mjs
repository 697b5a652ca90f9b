// Writes the table of packages in README.md from the descriptions in their manifests: node scripts/readme-packages.mjs [--check].
import { readFileSync, writeFileSync } from 'node:fs'
import { table } from './markdown.mjs'
import { path, workspaces } from './workspaces.mjs'

const PAGE = 'README.md'
const MARKED = /(<!-- packages -->\n)[\s\S]*?(<!-- \/packages -->)/

const rows = workspaces().map(({ folder, manifest: { name, description } }) => {
  if (!description) throw new Error(`${folder}/package.json has no description`)
  return [`[\`${name}\`](${folder})`, description]
})

const page = readFileSync(path(PAGE), 'utf8')
if (!MARKED.test(page)) throw new Error(`${PAGE} has no place for the table of packages`)
const text = page.replace(MARKED, `$1\n${table([['Package', 'What it does'], ...rows])}\n\n$2`)

if (!process.argv.includes('--check')) writeFileSync(path(PAGE), text)
else if (page !== text) {
  console.error(`${PAGE} is out of step with the packages: run npm run lab -- readme-packages`)
  process.exitCode = 1
}
