// Writes THIRD_PARTY_NOTICES into every package that carries works of others; with --check it only compares.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { noticesText } from './notices/text.mjs'
import { worksOf } from './notices/works.mjs'
import { path, workspaces } from './workspaces.mjs'

const isCheck = process.argv.includes('--check')

for (const workspace of workspaces()) {
  const { libraries, programs, fonts } = worksOf(workspace)
  const file = path(`${workspace.folder}/THIRD_PARTY_NOTICES`)
  const text =
    libraries.length + programs.length + fonts.length === 0
      ? undefined
      : noticesText(workspace.manifest.name, [
          { title: 'Programs, in its files or installed with it:', works: programs },
          { title: 'Libraries in its files:', works: libraries },
          { title: 'Fonts that are installed with it:', works: fonts },
        ])
  const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (current === text) continue
  if (isCheck) {
    console.error(`${workspace.folder}/THIRD_PARTY_NOTICES is out of date: run npm run lab -- notices`)
    process.exitCode = 1
  } else if (text === undefined) rmSync(file)
  else writeFileSync(file, text)
}
