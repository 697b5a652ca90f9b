// THIRD_PARTY_NOTICES of the packages that carry works of others; every build writes them.
import { rmSync, writeFileSync } from 'node:fs'
import { path, workspaces } from '../workspaces.mjs'
import { noticesText } from './text.mjs'
import { worksOf } from './works.mjs'

export const NOTICES = 'THIRD_PARTY_NOTICES'

/** The notices of a package; undefined where it carries nothing of others. Needs a build. */
export const noticesOf = (workspace) => {
  const { libraries, programs, fonts } = worksOf(workspace)
  if (libraries.length + programs.length + fonts.length === 0) return undefined
  return noticesText(workspace.manifest.name, [
    { title: 'Programs, in its files or installed with it:', works: programs },
    { title: 'Libraries in its files:', works: libraries },
    { title: 'Fonts that are installed with it:', works: fonts },
  ])
}

/** Writes the notices of every package, and removes those of a package that carries nothing any more. */
export const writeNotices = () => {
  for (const workspace of workspaces()) {
    const file = path(`${workspace.folder}/${NOTICES}`)
    const text = noticesOf(workspace)
    if (text === undefined) rmSync(file, { force: true })
    else writeFileSync(file, text)
  }
}
