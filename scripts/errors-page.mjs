// Writes ERRORS.md from the error tables that the built packages export; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { path, workspaces } from './workspaces.mjs'

const { exitCodeOf } = await import(new URL('../packages/protocol/dist/index.js', import.meta.url).href)

/** Stands for a fact that is not known yet: whatever is done to it, it reads as `<name>`. */
const placeholder = (name, owner) =>
  new Proxy(() => {}, {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === 'toString' || key === 'toJSON') return () => `<${name}>`
      if (key === Symbol.iterator) return () => [placeholder(name)].values()
      return placeholder(`${name}.${String(key)}`, placeholder(name))
    },
    apply: () => owner ?? placeholder(name),
  })
const facts = new Proxy({}, { get: (_, key) => placeholder(String(key)) })

const section = async ({ folder, manifest }, known) => {
  const entries = []
  const module = await import(new URL(`../${folder}/dist/index.js`, import.meta.url).href)
  for (const [name, table] of Object.entries(module).filter(([name]) => name.endsWith('Errors'))) {
    for (const [code, text] of Object.entries(table)) {
      const owner = known.get(code)
      // A table that another package passes on is listed where it was made.
      if (owner?.text === text) continue
      if (owner) throw new Error(`${code} is in ${owner.name} and in ${manifest.name}`)
      if (!/^VID(_[A-Z0-9]+)+$/.test(code)) throw new Error(`${code} of ${name} is not spelled VID_LIKE_THIS`)
      known.set(code, { text, name: manifest.name })
      const { message, hint, fault } = text(facts)
      const plain = (line) => line.replaceAll('<', '\\<').replaceAll('\n', ' ')
      const lines = [`- Do: ${plain(hint)}`, `- Fault: ${fault}`, `- Exit code: ${exitCodeOf({ fault })}`]
      entries.push(`### ${code}\n\n${plain(message)}\n\n${lines.join('\n')}\n`)
    }
  }
  return entries.length > 0 ? `## ${manifest.name}\n\n${entries.sort().join('\n')}` : ''
}

const known = new Map()
const sections = []
const protocolFirst = workspaces().sort(
  (a, b) => Number(b.folder === 'packages/protocol') - Number(a.folder === 'packages/protocol'),
)
for (const workspace of protocolFirst) sections.push(await section(workspace, known))

const text = `# Errors

Every error has a code, says what happened with the value, what to do, and whose fault it is:

- **caller**: the input is wrong: a flag, the config, a request. The command ends with exit code 2.
- **render**: the composition or a plugin failed while it was rendered. Exit code 1.
- **machine**: this machine lacks something, such as space, memory or a browser, or a service it needs did not answer; the same work may succeed elsewhere. Exit code 1.

This page is generated from the packages' error tables by \`npm run errors\`.

${sections.filter(Boolean).join('\n')}`

if (!process.argv.includes('--check')) writeFileSync(path('ERRORS.md'), text)
else if (readFileSync(path('ERRORS.md'), 'utf8') !== text) {
  console.error('ERRORS.md is out of step with the error tables: run npm run errors')
  process.exitCode = 1
}
