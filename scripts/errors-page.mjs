// Writes ERRORS.md from the tables of errors and warnings that the built packages export, and from the same tables the
// list of errors that a render on AWS does not try again; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { longSentences, MAX_WORDS } from './prose/sentences.mjs'
import { path, workspaces } from './workspaces.mjs'

const { exitCodeOf } = await import(new URL('../packages/base/protocol/dist/index.js', import.meta.url).href)

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
/** Facts that a text looks up or reckons with: of those, it shows an example. */
const samples = {
  VID_BATCH_ROW: { rows: [3, 17, 41], counted: 'index' },
  VID_BATCH_VALUE: { message: 'Row 17, column B (points): "many" is not a number.', counted: 'table' },
  VID_BATCH_CELL: { place: 'Row 17, column B' },
  VID_BATCH_SOURCE: { message: 'Row 17, column B (photo): "ada.png" of "photo" cannot be shown.' },
  VID_BATCH_COLUMN: { message: 'Column C (id) is not a variable (500 rows).' },
  VID_BATCH_UNFIT: { message: 'Row 17, column B (points): "many" is not a number.' },
  VID_BATCH_REST: { more: 30 },
  VID_AWS_DENIED: { action: 'states:StartExecution' },
  VID_AWS_FAILED: { action: 'states:StartExecution' },
  VID_AWS_THROTTLED: { action: 'states:StartExecution' },
  VID_AWS_UNREACHABLE: { action: 'states:StartExecution' },
  VID_BROWSER_CRASHED: { shortage: { isKilled: true } },
  VID_CALLBACK_TIME: { ageMs: 600_000, toleranceMs: 300_000 },
  VID_FFMPEG_FAILED: { isDiskFull: false },
  VID_MEDIA_NO_FRAME: { tick: 15_000 },
  VID_PAGE_CRASHED: { shortage: { isKilled: true } },
  VID_PAGE_STARVED: { shortage: { isKilled: true } },
  VID_S3_DENIED: { action: 'read', permissions: 's3:GetObject and s3:ListBucket' },
  VID_S3_FAILED: { done: 'read' },
  VID_VARIABLES_STRICT: { issues: ['Variable "title" is not declared in data-composition-variables.'] },
  VID_SIZE_EVEN: { format: 'mp4', width: 321, height: 181, scaled: false, keeping: ['webm', 'gif'] },
}
const factsOf = (code) =>
  new Proxy(samples[code] ?? {}, {
    get: (sample, key) => (key in sample ? sample[key] : placeholder(String(key))),
  })

/** Stands for a hint that is left out. */
const SENTENCE = 'Nothing.'

/** The words of a code, which must say something for every fact. */
const wordsOf = (code, text) => {
  const words = text(factsOf(code))
  const hole = /\b(?:undefined|NaN)\b/.exec(`${words.message} ${words.hint ?? ''}`)
  if (hole) throw new Error(`${code} reads "${words.message}": give a sample of the fact that is ${hole[0]}`)
  for (const sentence of [words.message, words.hint ?? SENTENCE].map(String)) {
    // A text that is nothing but one fact passes on sentences of others.
    if (!/^(?:[^a-z].*[.!?]"?|<[\w.]+>)$/s.test(sentence))
      throw new Error(`${code} reads "${sentence}": begin with a capital and end with a full stop`)
    const [long] = longSentences(sentence)
    if (long) throw new Error(`${code} has a sentence of more than ${MAX_WORDS} words: ${long}`)
  }
  return words
}

const plain = (line) => line.replaceAll('<', '\\<').replaceAll('\n', ' ')
const errorLines = ({ hint, fault }) => [
  `- Do: ${plain(hint)}`,
  `- Fault: ${fault}`,
  `- Exit code: ${exitCodeOf({ fault })}`,
]
const warningLines = ({ hint }) => (hint === undefined ? [] : [`- Do: ${plain(hint)}`])

/** The entries of one package's tables, whose names end with `suffix`; `known` has the codes of those before. */
const section = async ({ folder, manifest }, { suffix, level, linesOf }, owners) => {
  const entries = []
  const module = await import(new URL(`../${folder}/dist/index.js`, import.meta.url).href)
  for (const [name, table] of Object.entries(module).filter(([name]) => name.endsWith(suffix))) {
    for (const [code, text] of Object.entries(table)) {
      const owner = owners.get(code)
      // A table that another package passes on is listed where it was made.
      if (owner?.text === text) continue
      if (owner) throw new Error(`${code} is in ${owner.name} and in ${manifest.name}`)
      if (!/^VID(_[A-Z0-9]+)+$/.test(code)) throw new Error(`${code} of ${name} is not spelled VID_LIKE_THIS`)
      owners.set(code, { text, name: manifest.name })
      const words = wordsOf(code, text)
      const lines = linesOf(words)
      const list = lines.length > 0 ? `\n${lines.join('\n')}\n` : ''
      entries.push(`${level}# ${code}\n\n${plain(words.message)}\n${list}`)
    }
  }
  return entries.length > 0 ? `${level} ${manifest.name}\n\n${entries.sort().join('\n')}` : ''
}

const protocolFirst = workspaces().sort(
  (a, b) => Number(b.folder === 'packages/base/protocol') - Number(a.folder === 'packages/base/protocol'),
)
/** All sections of one kind; a code stands in one table only, though an error and a warning may share one. */
const part = async (kind, owners = new Map()) => {
  const sections = []
  for (const workspace of protocolFirst) sections.push(await section(workspace, kind, owners))
  return sections.filter(Boolean).join('\n')
}
const errorTexts = new Map()
const errors = await part({ suffix: 'Errors', level: '##', linesOf: errorLines }, errorTexts)
const warnings = await part({ suffix: 'Warnings', level: '###', linesOf: warningLines })

const text = `# Errors

Every error has a code, a message with the value, a hint, and a fault:

- **caller**: the input is wrong: a flag, the config, or a request. Exit code 2.
- **render**: the composition or a plugin failed while it was rendered. Exit code 1.
- **machine**: this machine lacks something, such as disk space, memory or a browser, or a service did not answer; the same work may succeed elsewhere. Exit code 1.

\`npm run lab -- errors\` generates this page from the tables of the packages. Problems that do not end a render are listed under [Warnings](#warnings).

${errors}
## Warnings

A warning reports a possible problem with a file that was still produced, and does not change the exit code. If a plugin raised it, the warning names the plugin. The findings of \`vid lint\`, which a render also shows, have [separate pages](docs/lint). A warning may also have the code of an error, if the render continued without the part that failed.

${warnings}`

/** Names of a package and of all packages of the repository that it is installed with. */
const installedWith = (name, names = new Set()) => {
  const manifest = protocolFirst.find((workspace) => workspace.manifest.name === name)?.manifest
  if (!manifest || names.has(name)) return names
  names.add(name)
  for (const other of Object.keys(manifest.dependencies ?? {})) installedWith(other, names)
  return names
}

const inFunction = installedWith('@vid/lambda')
const final = [...errorTexts]
  .filter(([, { name }]) => inFunction.has(name))
  .map(([code, { text }]) => ({ code, ...wordsOf(code, text) }))
  .filter(({ fault, final }) => final ?? fault === 'caller')
  .map(({ code }) => `  '${code}',\n`)
  .sort()
const list = `/** Codes of errors that no further attempt can mend; \`npm run lab -- errors\` writes this list from the tables. */
export const finalErrors: readonly string[] = [
${final.join('')}]
`

for (const [file, content] of [
  ['ERRORS.md', text],
  ['packages/services/lambda/src/workflow/final-errors.ts', list],
]) {
  if (!process.argv.includes('--check')) writeFileSync(path(file), content)
  else if (readFileSync(path(file), 'utf8') !== content) {
    console.error(`${file} is out of step with the tables of errors and warnings: run npm run lab -- errors`)
    process.exitCode = 1
  }
}
