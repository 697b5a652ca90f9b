// How the process of an environment is started: in namespaces of its own where the machine allows it, else as a plain process.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Folder of the program that runs in an environment. */
const RUNTIME = fileURLToPath(new URL('.', import.meta.url))
/** User of the function where the caller is root. */
const USER = '993'
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc']

const isAllowed = (words) => spawnSync('unshare', [...words, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/**
 * Words before the program that put it into namespaces; undefined without namespaces.
 * @returns {readonly string[] | undefined}
 */
export const namespaces = () => [NAMESPACES, ['--user', '--map-root-user', ...NAMESPACES]].find(isAllowed)

/**
 * Starts the runtime of an environment.
 * @param {object} options
 * @param {readonly string[] | undefined} options.words of `namespaces()`
 * @param {string} options.node
 * @param {string} options.code folder of the unzipped package
 * @param {number} options.tmpBytes
 * @param {string} options.hidden a folder that the function does not see: the repository, whose files are not in the package
 * @param {string} options.folder of the environment, for a machine without namespaces
 * @param {Readonly<Record<string, string>>} options.env
 */
export const startRuntime = ({ words, node, code, tmpBytes, hidden, folder, env }) => {
  const stdio = ['ignore', 'pipe', 'pipe']
  if (words) {
    const user = words.includes('--user') || process.getuid?.() !== 0 ? '' : USER
    const script = ['sh', here('sandbox.sh'), code, RUNTIME, node, String(tmpBytes), hidden, user]
    return spawn('unshare', [...words, ...script], { stdio, env: { ...env, LAMBDA_TASK_ROOT: '/mnt/task' } })
  }
  const tmp = join(folder, 'tmp')
  mkdirSync(tmp, { recursive: true })
  chmodSync(tmp, 0o1777)
  return spawn(node, [here('bootstrap.mjs')], {
    stdio,
    cwd: code,
    env: { ...env, LAMBDA_TASK_ROOT: code, TMPDIR: tmp },
  })
}
