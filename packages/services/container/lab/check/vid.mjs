// The command as the checks start it, and what it leaves.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startVid } from '../../../../../e2e/long/support/command.mjs'
import { podman } from './engine.mjs'

/** Starts the command in a folder, with an environment. */
export const start = (env, cwd, args, { input } = {}) => startVid(args, { env, cwd, input })

/** Runs the command to its end. */
export const vid = (env, cwd, ...args) => start(env, cwd, args).done

/** Writes files below a folder, and returns it. */
export const write = (folder, files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A composition that shows `body`. */
export const page = (body, seconds = 1, head = '') =>
  `<!doctype html><html><head>${head}</head><body style="margin:0;background:#fff">
<div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="${seconds}">${body}</div></body></html>`

/** SHA-256 of a file, or of all files of a folder. */
export const digestOf = (file) => {
  const files = statSync(file).isDirectory()
    ? readdirSync(file)
        .sort()
        .map((name) => join(file, name))
    : [file]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex')
}

/** Names of the containers of renders that there are. */
export const containers = (env) =>
  podman(env, 'ps', '--all', '--filter', 'label=dev.vid.render', '--format', '{{.Names}}').split('\n').filter(Boolean)

/** Waits until something holds, by asking again and again, and fails after half a minute. */
export const eventually = async (what, holds) => {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Fails with a text unless something holds. */
export const must = (holds, what) => {
  if (!holds) throw new Error(what)
}

/** The code of the error that a command reported. */
export const codeOf = ({ stderr }) => /error (VID_\w+)/.exec(stderr)?.[1]
