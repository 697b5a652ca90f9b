// Finds sentences that are too long to be read once, in the README, the documentation and the READMEs of packages.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { longSentencesOfPage, MAX_WORDS } from './prose/sentences.mjs'
import { path } from './workspaces.mjs'

const pages = execFileSync('git', ['ls-files', '*.md', ':!.changeset', ':!packages/kernel/decisions'], {
  cwd: path(''),
  encoding: 'utf8',
})
for (const page of pages.trim().split('\n')) {
  const long = longSentencesOfPage(readFileSync(path(page), 'utf8'))
  for (const sentence of long) console.error(`${page}: a sentence has more than ${MAX_WORDS} words: ${sentence}`)
  if (long.length > 0) process.exitCode = 1
}
