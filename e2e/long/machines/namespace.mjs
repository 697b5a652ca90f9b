// A machine that differs from this one: a mount namespace, which no other process sees, and a user.
import { spawn, spawnSync } from 'node:child_process'

/** Whether this is root with all rights, and not that of a container. */
export const isRoot = process.getuid() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0

/** The other user of a machine. */
export const OTHER_USER = 12321

/** Words that start a program as the other user; without root, as one whom a further namespace maps to this one. */
const AS_OTHER_USER = isRoot
  ? ['setpriv', `--reuid=${OTHER_USER}`, `--regid=${OTHER_USER}`, '--clear-groups', '--']
  : ['unshare', '--user', `--map-user=${OTHER_USER}`, `--map-group=${OTHER_USER}`, '--']

/** Shell lines that hide folders, give folders a size, and fill folders; what fills one is the file `full`. */
export const mountLines = ({ hide = [], sizes = {}, full = [] }) => [
  ...hide.map((folder) => `mount -t tmpfs none "${folder}"`),
  ...Object.entries(sizes).map(([folder, size]) => `mount -t tmpfs -o mode=1777,size=${size} none "${folder}"`),
  ...full.flatMap((folder) => [
    `mount -t tmpfs -o size=64k none "${folder}"`,
    `head -c 1000000 /dev/zero > "${folder}/full" 2> /dev/null || true`,
  ]),
]

/** Prints what a program has left in the folder for temporary files; caches stay by intent. */
const LEFT = `find "$scratch" -mindepth 1 -maxdepth 1 ! -name full ! -name 'node-compile-cache*' ! -name 'vid-cache-*' -printf 'left: %f\\n' >&2`

/**
 * Runs lines of a shell as root of a mount namespace, then a program there, in the folder `cwd` and the environment `env`.
 * Resolves to its exit code, what it wrote, and the names that it has left in its folder for temporary files.
 */
export const runInNamespace = (lines, words, { cwd, env, asOtherUser = false }) =>
  new Promise((resolve, reject) => {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    const program = [...(asOtherUser ? AS_OTHER_USER : []), 'env', '-i', ...variables, ...words]
    const script = [
      'set -e',
      ...lines,
      'cd "$1"; scratch=$2; shift 2; set +e',
      '"$@"; code=$?',
      LEFT,
      'exit $code',
    ].join('\n')
    const namespace = isRoot ? ['--mount'] : ['--mount', '--map-root-user']
    const outer = [...namespace, 'sh', '-c', script, 'sh', cwd, env.TMPDIR, ...program]
    const child = spawn('unshare', outer, { stdio: ['ignore', 'pipe', 'pipe'] })
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (chunk) => {
        text[name] += chunk
      })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const left = [...text.stderr.matchAll(/^left: (.*)$/gm)].map(([, name]) => name)
      resolve({ code: code ?? signal, ...text, left })
    })
  })
