// Somebody who has never used vid: a user of this machine with a home of their own, a Node, and folders with spaces.
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Variables by which programs of this machine reach the network. */
const NETWORK = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(?:https?|no)_proxy)$/i

const environment = ({ home, temp, node, programs }) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name))),
  HOME: home,
  TMPDIR: temp,
  LANG: 'C.UTF-8',
  PATH: [node, ...programs, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
})

/**
 * Makes the folders of a user; `node` is a folder with that program, `programs` are further folders of programs, and
 * `registry` is an address that has the packages, if they are to come from one.
 */
export const makeNewcomer = (work, { name, uid, node, registry, programs = [] }) => {
  const folder = join(work, `first use of ${name}`)
  const [home, temp, projects] = ['home', 'tmp', 'my projects'].map((name) => join(folder, name))
  for (const path of [folder, home, temp, projects]) {
    mkdirSync(path, { mode: 0o755 })
    chownSync(path, uid, uid)
  }
  if (registry) writeFileSync(join(home, '.npmrc'), `@vid:registry=${registry}/\n`)
  return { name, uid, projects, temp, env: environment({ home, temp, node, programs }) }
}

/** Starts a line of a shell in a folder of a user; `done` resolves to its exit code and all that it wrote. */
export const startLine = ({ uid, env }, folder, line) => {
  const child = spawn('bash', ['-c', `umask 022; ${line}`], {
    cwd: folder,
    env,
    uid,
    gid: uid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = { child, text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      started.text += chunk
    })
  started.done = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, text: started.text }))
  })
  return started
}

/** What the programs of a user have left in the folder for temporary files; caches of Node and of podman stay by intent. */
export const leftBy = ({ temp }) =>
  readdirSync(temp).filter((name) => !/^(?:node-compile-cache|containers-user-|podman-run-)/.test(name))
