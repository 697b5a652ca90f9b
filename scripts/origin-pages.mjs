// Makes every page say how packages are installed today, from a clone or from npm's registry:
// node scripts/origin-pages.mjs [--check]. packages/base/system/src/origin/published.ts decides.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { isPublished } from '@vid/system'
import { pageProblems, pageWriter } from './origin/pages.mjs'
import { path, workspaces } from './workspaces.mjs'

const write = pageWriter(workspaces())
const listed = execFileSync(
  'git',
  ['ls-files', '*.md', ':!.changeset', ':!packages/base/kernel/decisions', ':!CHANGELOG.md'],
  {
    cwd: path(''),
    encoding: 'utf8',
  },
)
for (const page of listed.trim().split('\n')) {
  const text = readFileSync(path(page), 'utf8')
  const written = write(text, page, isPublished)
  const problems = pageProblems(written, isPublished)
  if (process.argv.includes('--check') && written !== text) problems.push('run npm run lab -- origin-pages')
  else if (written !== text) writeFileSync(path(page), written)
  for (const problem of problems) console.error(`${page}: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
