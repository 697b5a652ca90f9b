import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, paint, sleep, startVid } from '../fixtures/project.ts'

type Vid = ReturnType<typeof startVid>

/** Resolves with the first line that a command writes on stdout; rejects with stderr when it ends before. */
const firstLine = ({ child, done }: Vid): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    void done.then(({ stderr }) => reject(new Error(stderr)))
  })

/** Runs the command where it is to refuse to start. */
const refusal = async (args: readonly string[], env: NodeJS.ProcessEnv = {}, folder?: string) => {
  const { child, done } = startVid(folder ?? (await makeFolder()), ['producer', '--port', '0', ...args], env)
  // It would listen for ever.
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const { code, stdout, stderr } = await done
  expect(stdout).toBe('')
  return { code, stderr }
}

const render = (url: string, more: object = {}) =>
  fetch(`${url}/render`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectDir: 'intro', ...more }),
  })

test('it says where it listens, renders with the config of its folder, and ends with 0 at SIGTERM', async () => {
  const folder = await makeFolder()
  const running = startVid(folder, ['producer', '--port', '0'])
  const line = await firstLine(running)
  expect(line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/)
  const url = line.slice('listening on '.length)
  const reply = await (await render(url, { outputPath: 'intro.mp4' })).json()
  expect(reply).toMatchObject({ success: true, outputPath: 'intro.mp4', frames: 15 })
  expect(await readdir(join(folder, 'renders'))).toEqual(['intro.mp4'])
  running.child.kill('SIGTERM')
  const { code, stdout, stderr } = await running.done
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${line}\n` })
  const messages = stderr
    .trim()
    .split('\n')
    .map((row) => (JSON.parse(row) as { msg: string }).msg)
  expect(messages.at(-1)).toMatch(/^stopping: /)
  expect(messages).toContain('request ended')
  expect((await readdir(join(folder, 'tmp'))).filter((name) => name.startsWith('vid-'))).toEqual([])
})

test('--json writes one event, with the address', async () => {
  const running = startVid(await makeFolder(), ['producer', '--port', '0', '--json', '--log-level', 'silent'])
  await firstLine(running)
  running.child.kill('SIGINT')
  const { code, stdout, stderr } = await running.done
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [event, ...others] = eventsOf(stdout)
  expect(others).toEqual([])
  expect(event).toEqual({ type: 'producer-start', url: `http://127.0.0.1:${event?.port}`, port: event?.port })
})

test.each([
  [['--max-concurrent-renders', '11'], {}, '--max-concurrent-renders; got "11"'],
  [[], { PRODUCER_MAX_CONCURRENT_RENDERS: 'abc' }, 'PRODUCER_MAX_CONCURRENT_RENDERS; got "abc"'],
  [['--memory', '1k'], {}, '--memory; got "1k"; expected a size such as 8G, at least 256M'],
  [['--render-timeout', '0'], {}, '--render-timeout; got "0"'],
  [['--allowed-origins', 'studio.example'], {}, '--allowed-origins; got "studio.example"'],
  [['--allowed-hosts', 'https://a.example'], {}, '--allowed-hosts; got "https://a.example"'],
])('%j with %j is refused by the name that its user wrote', async (args, env, words) => {
  const { code, stderr } = await refusal(args, env)
  expect(stderr).toContain(`error VID_FLAG_INVALID: ${words}`)
  expect(code).toBe(2)
})

test('the number of renders at once comes from the environment where no flag says it', async () => {
  const env = { PRODUCER_MAX_CONCURRENT_RENDERS: '3' }
  for (const [flags, expected] of [
    [[], 3],
    [['--max-concurrent-renders', '1'], 1],
  ] as const) {
    const running = startVid(await makeFolder(), ['producer', '--port', '0', ...flags], env)
    const url = (await firstLine(running)).slice('listening on '.length)
    expect(await (await fetch(`${url}/render/queue`)).json()).toMatchObject({
      maxConcurrentRenders: expected,
    })
  }
})

test('a weak token is refused, and never shown', async () => {
  const { code, stderr } = await refusal([], { VID_PRODUCER_TOKEN: 'hush-hush' })
  expect(stderr).toContain('error VID_SERVER_TOKEN_WEAK: ')
  expect(stderr).toContain('VID_PRODUCER_TOKEN')
  expect(stderr).not.toContain('hush')
  expect(code).toBe(2)
})

test('what makes every request fail is said at the start', async () => {
  const missing = await refusal(['--root', 'nowhere'])
  expect(missing.stderr).toContain('error VID_PRODUCER_ROOT: ')
  const folder = await makeFolder({ 'vid.config.mjs': paint, file: '' })
  expect((await refusal(['--output-root', 'file'], {}, folder)).stderr).toContain('error VID_PRODUCER_ROOT: ')
  const broken = await makeFolder({ 'vid.config.mjs': 'throw new Error("no")' })
  expect(await refusal([], {}, broken)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error VID_CONFIG_BROKEN: '),
  })
  expect((await refusal(['--state', 'file/x'], {}, folder)).stderr).toContain('error VID_PRODUCER_STATE_UNUSABLE: ')
})

test('a port that is taken is an error of the machine, and leaves nothing', async () => {
  const folder = await makeFolder()
  const running = startVid(folder, ['producer', '--port', '0'])
  const port = (await firstLine(running)).split(':').at(-1) ?? ''
  const other = await makeFolder()
  const { done } = startVid(other, ['producer', '--port', port, '--state', 'state'])
  const { code, stderr } = await done
  expect(stderr).toContain(`error VID_SERVER_LISTEN: The server cannot listen on 127.0.0.1 port ${port}`)
  expect(code).toBe(1)
  expect(await readdir(join(other, 'state'))).not.toContain('lock')
  expect((await readdir(join(other, 'tmp'))).filter((name) => name.startsWith('vid-'))).toEqual([])
})

test('a second signal ends a server whose render goes on and on', async () => {
  const folder = await makeFolder({ 'vid.config.mjs': sleep })
  const running = startVid(folder, ['producer', '--port', '0', '--drain-timeout', '3600'])
  const url = (await firstLine(running)).slice('listening on '.length)
  const reply = render(url).catch(() => undefined)
  await expect.poll(async () => (await (await fetch(`${url}/render/queue`)).json()).activeRenders).toBe(1)
  const stopping = new Promise<void>((resolve) =>
    running.child.stderr.on('data', (chunk) => String(chunk).includes('stopping: ') && resolve()),
  )
  running.child.kill('SIGINT')
  await stopping
  running.child.kill('SIGINT')
  expect((await running.done).code).toBe(130)
  await reply
})
