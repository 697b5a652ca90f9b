import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { path } from '../../../scripts/workspaces.mjs'
import { isRoot, OTHER_USER, runInNamespace } from './namespace.mjs'
import { linkPrograms, newestNode, nodeOf } from './programs.mjs'

const COMMAND = path('packages/engine/cli/bin/vid.js')

/** Makes the folders of a user of the machines, once; the user's cache is kept from one machine to the next. */
const foldersOf = (work, asOtherUser) => {
  const base = join(work, asOtherUser ? 'user' : 'root')
  const folders = { home: join(base, 'home'), scratch: join(base, 'tmp'), videos: join(base, 'videos') }
  if (existsSync(base)) return folders
  for (const folder of [base, ...Object.values(folders)]) {
    mkdirSync(folder, { mode: 0o755 })
    if (asOtherUser && isRoot) chownSync(folder, OTHER_USER, OTHER_USER)
  }
  return folders
}

/** Keeps every core busy until the returned function is called. */
const burden = () => {
  const children = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  return () => {
    for (const child of children) child.kill('SIGKILL')
  }
}

/** Makes a machine of the table in a folder, in which others of it may be; runs commands of vid on it. */
export const openMachine = (work, { asOtherUser, isBusy, lines, node, env, ...choice }) => {
  const { home, scratch, videos } = foldersOf(work, asOtherUser)
  const program = nodeOf(work, node === 'newest' ? newestNode() : node)
  const variables = { PATH: linkPrograms(work, choice), HOME: home, TMPDIR: scratch, ...env }
  const close = isBusy ? burden() : () => {}
  return {
    videos,
    run: (...words) =>
      runInNamespace(lines?.({ home, scratch }) ?? [], [program, COMMAND, ...words], {
        cwd: videos,
        env: variables,
        asOtherUser,
      }),
    close,
  }
}
