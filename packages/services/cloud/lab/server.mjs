// Runs `vid cloud serve` and other commands of the hosted API as processes of their own.
import { startVid } from '../../../../e2e/long/support/command.mjs'
import { descendants, isAlive, kill, waitFor } from '../../../../e2e/long/support/processes.mjs'

const START_MS = 120_000

/** A composition of 540 × 540 pixels and one colour that moves, with a variable, and more elements in its root. */
export const page = (colour, seconds, more = '') => `<!doctype html>
<html data-composition-variables='[{"id":"word","type":"string","label":"Word","default":"vid"}]'>
<body style="margin:0"><div data-composition-id="root" data-width="540" data-height="540" data-duration="${seconds}" style="width:540px;height:540px;background:${colour}"><p id="word" style="font:80px sans-serif;color:white;animation:move ${seconds}s linear"></p>${more}</div>
<style>@keyframes move { to { transform: translateX(200px) } }</style>
<script>document.getElementById('word').textContent = __vid.getVariables().word</script></body></html>`

/** Starts a command in the folders of a server; `program` is the path of another build of it. */
export const startIn = ({ cwd, temp, program }, words, env = {}) =>
  startVid(words, { cwd, env: { ...process.env, TMPDIR: temp, ...env }, ...(program && { program }) })

/** Runs a command to its end; resolves to the object that it writes with --json. */
export const vidJson = async (places, words, env) => {
  const { code, stdout, stderr } = await startIn(places, [...words, '--json'], env).done
  if (code !== 0) throw new Error(`vid ${words.join(' ')} ended with ${code}\n${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

/** Starts a server and waits until it is ready. */
export const startCloud = async (places, words, env) => {
  const running = startIn(places, ['cloud', 'serve', '--json', ...words], env)
  await waitFor(() => running.isOver || running.stdout.includes('\n'), START_MS)
  const [line = ''] = running.stdout.split('\n')
  // A server that cannot start writes its error there.
  if (running.isOver || !line.includes('"cloud-start"')) {
    running.child.kill('SIGKILL')
    await running.done
    throw new Error(
      `vid cloud serve ${words.join(' ')} did not start\n${running.stderr.split('\n').slice(-20).join('\n')}`,
    )
  }
  return Object.assign(running, JSON.parse(line))
}

/** Makes an account with a key; resolves to the key. */
export const makeAccount = async (places, state, env) => {
  const { account } = await vidJson(places, ['cloud', 'accounts', 'create', '--name', 'script', '--state', state], env)
  return (await vidJson(places, ['cloud', 'keys', 'create', account.id, '--state', state], env)).secret
}

/** Kills the servers that still run, and what they started, beside the children of those that were killed before. */
export const killAll = async (running, strays = []) => {
  for (const { child, pid, done } of running) {
    strays.push(...descendants(pid))
    child.kill('SIGKILL')
    await done
  }
  for (const stray of strays.filter(isAlive)) kill(stray.pid)
}
