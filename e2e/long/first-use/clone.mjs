// A clone of this repository that belongs to somebody who has never used vid.
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'

const NOBODY = 65534

/** What a clone does not have, or what a render of this repository has left. */
const LEFT_OUT = ['.git', '.vid', 'renders', 'release', 'snapshots']

/** npm makes it executable when a project links the package. */
const PROGRAM = 'packages/engine/cli/bin/vid.js'

/** Copies a file or a folder; as links to the same files where the disk is the same, which takes a second. */
const copy = (from, into) => {
  if (spawnSync('cp', ['-al', from, into], { stdio: 'ignore' }).status === 0) return
  rmSync(join(into, from.split('/').at(-1)), { recursive: true, force: true })
  execFileSync('cp', ['-a', from, into])
}

/** Makes the folders of a copy those of a user; its files stay shared with this repository, and cannot be written. */
const give = (folder, uid) => {
  execFileSync('find', [folder, '-type', 'd', '-exec', 'chown', `${uid}:${uid}`, '{}', '+'])
  const program = join(folder, PROGRAM)
  rmSync(program)
  copyFileSync(path(PROGRAM), program)
  chownSync(program, uid, uid)
}

/** Copies this repository as it is installed and built, below a folder. */
export const copyClone = (projects, uid) => {
  const clone = join(projects, 'vid')
  mkdirSync(clone)
  for (const name of readdirSync(path('')).filter((name) => !LEFT_OUT.includes(name))) copy(path(name), clone)
  give(clone, uid)
}

/** Clones the last commit of this repository below a folder; nothing is installed. */
export const freshClone = (projects, uid) => {
  const clone = join(projects, 'vid')
  execFileSync('git', ['clone', '--quiet', `file://${path('')}`, clone])
  execFileSync('chown', ['-R', `${uid}:${uid}`, clone])
}

/** The user to try things as: nobody, where this process may be that one and Node and the folder are readable for them. */
export const otherUser = (folder) => {
  const ownUid = process.getuid()
  if (ownUid !== 0) return ownUid
  const words = ['-e', 'require("node:fs").readFileSync(process.argv[1])', path('package.json')]
  const tried = spawnSync(process.execPath, words, { cwd: folder, uid: NOBODY, gid: NOBODY, stdio: 'ignore' })
  return tried.status === 0 ? NOBODY : ownUid
}
