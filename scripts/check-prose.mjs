// Finds sentences that are too long to be read once, and references to files that do not exist, in the README, the
// documentation and the READMEs of packages.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { missingReferences } from './prose/references.mjs'
import { longSentencesOfPage, MAX_WORDS } from './prose/sentences.mjs'
import { path } from './workspaces.mjs'

const pages = execFileSync('git', ['ls-files', '*.md', ':!.changeset', ':!packages/base/kernel/decisions'], {
  cwd: path(''),
  encoding: 'utf8',
})
for (const page of pages.trim().split('\n')) {
  const text = readFileSync(path(page), 'utf8')
  const problems = [
    ...longSentencesOfPage(text).map((long) => `a sentence has more than ${MAX_WORDS} words: ${long}`),
    ...missingReferences(text, { file: page, root: path('') }).map((target) => `there is no ${target}`),
  ]
  for (const problem of problems) console.error(`${page}: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
