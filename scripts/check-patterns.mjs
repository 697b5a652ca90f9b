// Whether any pattern of the product takes more than time in proportion to the text it is given, as `recheck` judges it.
// Its verdicts are kept in scripts/patterns/safe.json, because some take seconds; --write adds those of new patterns.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { check } from 'recheck'
import { patternsIn } from './patterns/collect.mjs'
import { EXCEPTIONS, PAGE_FOLDERS } from './patterns/exceptions.mjs'
import { path } from './workspaces.mjs'

const SAFE = path('scripts/patterns/safe.json')
/** Longest time for one pattern; what cannot be judged within it needs a simpler form. */
const TIMEOUT_MS = 60_000

const { values } = parseArgs({ options: { write: { type: 'boolean' } } })

const names = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'packages', 'plugins', 'presets'],
  {
    cwd: path(''),
    encoding: 'utf8',
  },
).split('\n')
const texts = names
  // Harnesses are not published, and read what they have written themselves.
  .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.includes('/lab/'))
  .flatMap((name) => {
    try {
      return [[name, readFileSync(path(name), 'utf8')]]
    } catch {
      // Removed, and not yet committed.
      return []
    }
  })
const patterns = patternsIn(texts)

const verdicts = new Set(JSON.parse(readFileSync(SAFE, 'utf8')))
const isOfPage = ({ places }) => places.every(({ file }) => PAGE_FOLDERS.some((folder) => file.startsWith(folder)))

const problems = []
const safe = []
for (const [key, pattern] of patterns) {
  if (isOfPage(pattern) || EXCEPTIONS.has(key)) continue
  if (verdicts.has(key)) {
    safe.push(key)
    continue
  }
  const { status, complexity, attack } = await check(pattern.source, pattern.flags, { timeout: TIMEOUT_MS })
  if (status === 'safe') {
    safe.push(key)
    continue
  }
  const places = pattern.places.map(({ file, line }) => `${file}:${line}`).join(', ')
  const verdict = status === 'vulnerable' ? `${complexity.summary}, with ${attack.pattern}` : 'it could not be judged'
  problems.push(`${places}: ${key} is not linear: ${verdict}`)
}
for (const key of EXCEPTIONS.keys())
  if (!patterns.has(key)) problems.push(`scripts/patterns/exceptions.mjs: ${key} is in no source any more`)

if (values.write) writeFileSync(SAFE, `${JSON.stringify(safe.sort(), null, 2)}\n`)
else if (safe.some((key) => !verdicts.has(key)) || verdicts.size > safe.length)
  problems.push('scripts/patterns/safe.json is out of date; run npm run lab -- patterns')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
console.log(`${patterns.size} patterns, ${safe.length} judged linear, ${EXCEPTIONS.size} exceptions`)
// The checker's own process would wait for more.
process.exit()
