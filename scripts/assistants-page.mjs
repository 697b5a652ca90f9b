// Writes the table of tools in docs/assistants.md from the commands: node scripts/assistants-page.mjs [--check].
import { readFileSync, writeFileSync } from 'node:fs'
import { makeTools } from '../packages/authoring/assistant/dist/index.js'
import { allCommands } from '../packages/engine/cli/dist/index.js'
import { table } from './markdown.mjs'
import { path } from './workspaces.mjs'

const PAGE = 'docs/assistants.md'
const MARKED = /(<!-- tools -->\n)[\s\S]*?(<!-- \/tools -->)/

const context = { cwd: path(''), env: {}, unguarded: (run) => run() }
const tools = await makeTools(await allCommands(context, { config: false }))

const wordsOf = ({ facts, inputSchema }) => {
  const kinds = [facts.effect, facts.isLong && 'can be a task', facts.pictures && 'shows pictures'].filter(Boolean)
  return [
    kinds.join(', '),
    Object.keys(inputSchema.properties)
      .map((name) => `\`${name}\``)
      .join(', '),
  ]
}

const rows = tools.map((tool) => {
  const [kinds, names] = wordsOf(tool)
  return [`\`${tool.name}\``, `${tool.title}: \`vid ${tool.command.path}\``, kinds, names]
})

const page = readFileSync(path(PAGE), 'utf8')
if (!MARKED.test(page)) throw new Error(`${PAGE} has no place for the table of tools`)
const text = page.replace(MARKED, `$1\n${table([['Tool', 'What it does', 'Effect', 'Arguments'], ...rows])}\n\n$2`)

if (!process.argv.includes('--check')) writeFileSync(path(PAGE), text)
else if (page !== text) {
  console.error(`${PAGE} is out of step with the commands: run npm run lab -- assistants-page`)
  process.exitCode = 1
}
