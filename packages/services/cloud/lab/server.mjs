// Runs `vid cloud serve` and other commands of the hosted API as processes of their own.
import { spawn } from 'node:child_process'
import { waitFor } from '../../../../scripts/processes.mjs'
import { path } from '../../../../scripts/workspaces.mjs'

const START_MS = 120_000

/** A composition of 540 × 540 pixels and one colour that moves, with a variable, and more elements in its root. */
export const page = (colour, seconds, more = '') => `<!doctype html>
<html data-composition-variables='[{"id":"word","type":"string","label":"Word","default":"vid"}]'>
<body style="margin:0"><div data-composition-id="root" data-width="540" data-height="540" data-duration="${seconds}" style="width:540px;height:540px;background:${colour}"><p id="word" style="font:80px sans-serif;color:white;animation:move ${seconds}s linear"></p>${more}</div>
<style>@keyframes move { to { transform: translateX(200px) } }</style>
<script>document.getElementById('word').textContent = __vid.getVariables().word</script></body></html>`

/** Starts a command; `lines` grows with what it writes on stderr. */
export const startVid = ({ cwd, temp }, words, env = {}) => {
  const child = spawn(process.execPath, [path('packages/engine/cli/bin/vid.js'), ...words], {
    cwd,
    env: { ...process.env, TMPDIR: temp, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const running = { child, pid: child.pid, lines: [], text: '', isOver: false }
  let rest = ''
  child.stderr.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()
    running.lines.push(...parts)
  })
  child.stdout.on('data', (chunk) => {
    running.text += chunk
  })
  running.done = new Promise((resolve) =>
    child.on('close', (code, signal) => {
      running.isOver = true
      resolve({ code, signal, text: running.text, lines: [...running.lines, rest] })
    }),
  )
  return running
}

/** Runs a command to its end; resolves to the object that it writes with --json. */
export const vidJson = async (places, words, env) => {
  const { code, text, lines } = await startVid(places, [...words, '--json'], env).done
  if (code !== 0) throw new Error(`vid ${words.join(' ')} ended with ${code}\n${lines.join('\n')}`)
  return JSON.parse(text.trim().split('\n').at(-1))
}

/** Starts a server and waits until it is ready. */
export const startCloud = async (places, words, env) => {
  const running = startVid(places, ['cloud', 'serve', '--json', ...words], env)
  await waitFor(() => running.isOver || running.text.includes('\n'), START_MS)
  const [line = ''] = running.text.split('\n')
  // A server that cannot start writes its error there.
  if (running.isOver || !line.includes('"cloud-start"')) {
    running.child.kill('SIGKILL')
    await running.done
    throw new Error(`vid cloud serve ${words.join(' ')} did not start\n${running.lines.slice(-20).join('\n')}`)
  }
  return Object.assign(running, JSON.parse(line))
}

/** Makes an account with a key; resolves to the key. */
export const makeAccount = async (places, state, env) => {
  const { account } = await vidJson(places, ['cloud', 'accounts', 'create', '--name', 'script', '--state', state], env)
  return (await vidJson(places, ['cloud', 'keys', 'create', account.id, '--state', state], env)).secret
}
