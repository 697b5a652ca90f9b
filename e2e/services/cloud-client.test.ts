import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackProject } from '@vid/project'
import type { VidEvent } from '@vid/protocol'
import { expect, test } from 'vitest'
import { hangUp, inTurn, refuse } from '../../packages/services/client/src/fixtures/answers.ts'
import { type CloudScript, startCloudServer } from '../../packages/services/client/src/fixtures/cloud-server.ts'
import { eventProblems } from '../../scripts/dev/event-problems.ts'
import { printed, type StartOptions, scratch, start, until, vidInProcess } from '../support/vid.ts'

const KEY = 'key-of-ann'
const video = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), Buffer.alloc(50_000, 7)])

const page = (size = 'data-width="1280" data-height="720"') => `<!doctype html>
<html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"hi"}]'>
<body><div data-composition-id="main" ${size} data-duration="1"></div></body></html>`

/** A home and a folder with a composition, and a scripted hosted API. */
const workplace = async (script: CloudScript = {}, html = page()) => {
  const cwd = await scratch()
  await mkdir(join(cwd, 'intro/node_modules'), { recursive: true })
  await writeFile(join(cwd, 'intro/index.html'), html)
  await writeFile(join(cwd, 'intro/node_modules/left-out.js'), '')
  const server = await startCloudServer({ video, ...script })
  const env: NodeJS.ProcessEnv = {
    HOME: join(cwd, 'home'),
    HOST_API_URL: server.url,
    HOST_API_KEY: KEY,
    VID_API_KEY: '',
  }
  await mkdir(join(cwd, 'home'))
  const run = (words: string, more: Pick<StartOptions, 'env' | 'input'> = {}) =>
    vidInProcess(words.split(' '), { cwd, ...more, env: { ...env, ...more.env } })
  return { cwd, env, server, run, credentials: join(cwd, 'home/.host/credentials') }
}

/** The events on stdout, each as the protocol describes it. */
const eventsOf = (stdout: string): VidEvent[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => {
      const event = JSON.parse(line) as VidEvent
      expect(eventProblems(event), line).toEqual([])
      return event
    })

const bodyOf = ({ requests }: Awaited<ReturnType<typeof startCloudServer>>) =>
  JSON.parse(String(requests.find(({ line }) => line === 'POST /v3/vid/renders')?.body)) as Record<string, unknown>

test('a folder is sent, rendered there, and its video fetched to the default place', async () => {
  const { cwd, server, run } = await workplace({
    records: [
      {},
      { status: 'rendering', progress: 0.5, frames_rendered: 30, total_frames: 60 },
      { status: 'completed' },
    ],
  })
  const { code, stdout, stderr } = await run('cloud render intro --poll-interval 0.1')
  expect([code, stdout], stderr).toEqual([0, 'renders/render_1.mp4\n'])
  expect((await readFile(join(cwd, 'renders/render_1.mp4'))).equals(video)).toBe(true)
  expect(await readdir(join(cwd, 'renders'))).toEqual(['render_1.mp4'])
  expect(stderr).toMatch(
    /uploading[\s\S]*submitted: render_1[\s\S]*queued[\s\S]*rendering 30\/60 frames[\s\S]*done: 60 frames/,
  )
  expect(stderr).not.toContain(KEY)
  expect(bodyOf(server)).toEqual({
    project: { type: 'asset_id', asset_id: 'asset_1' },
    fps: 30,
    quality: 'standard',
    format: 'mp4',
    resolution: '1080p',
    aspect_ratio: '16:9',
    composition: 'index.html',
    variables: {},
    strict_variables: false,
  })
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']).filter(Boolean)
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  const zip = join(cwd, 'sent.zip')
  await writeFile(zip, server.assets[0] ?? '')
  await unpackProject(zip, join(cwd, 'sent'))
  expect(await readdir(join(cwd, 'sent'))).toEqual(['index.html'])
})

test('every flag reaches the server, and --json writes events without signed addresses', async () => {
  const { server, run } = await workplace({ records: [{ status: 'completed' }] })
  const flags =
    '--fps 29.97 -q high --resolution 1080p --aspect-ratio 9:16 -o out/v.webm --variables {"title":"Hello"} --strict-variables --callback-url https://example.com/done --callback-id order-7 --idempotency-key run:1 --poll-interval 0.1 --json'
  const { code, stdout, stderr } = await run(`cloud render intro ${flags}`)
  expect(code, stderr).toBe(0)
  expect(bodyOf(server)).toMatchObject({
    fps: 29.97,
    quality: 'high',
    format: 'webm',
    aspect_ratio: '9:16',
    variables: { title: 'Hello' },
    strict_variables: true,
    callback_url: 'https://example.com/done',
    callback_id: 'order-7',
  })
  expect(server.requests.find(({ line }) => line.startsWith('POST'))?.headers['idempotency-key']).toBe('run:1')
  const types = eventsOf(stdout).map(({ type }) => type)
  expect([...new Set(types)]).toEqual(['cloud-upload', 'cloud-submit', 'cloud-progress', 'cloud-complete'])
  expect(stdout).not.toContain('signature')
})

test('--no-wait prints the id of the render; a project elsewhere is checked by the server', async () => {
  const { server, run } = await workplace()
  const { code, stdout } = await run('cloud render --asset-id asset_1 --no-wait --variables {"any":1}')
  expect([code, stdout]).toEqual([0, 'render_1\n'])
  const body = bodyOf(server)
  expect(body).toMatchObject({ aspect_ratio: '16:9', variables: { any: 1 } })
  expect(body).not.toHaveProperty('strict_variables')
  expect(server.lines()).toEqual(['POST /v3/vid/renders'])
})

test('a composition of another shape keeps it, and the command says so', async () => {
  const { server, run } = await workplace({}, page('data-width="1000" data-height="700"'))
  const { stderr } = await run('cloud render intro --no-wait')
  expect(stderr).toContain('1000x700')
  expect(bodyOf(server)).not.toHaveProperty('aspect_ratio')
})

test('what is wrong is refused before anything is sent', async () => {
  const { cwd, server, run } = await workplace()
  await mkdir(join(cwd, 'empty'))
  await writeFile(join(cwd, 'notes.mp4'), 'mine')
  await writeFile(join(cwd, 'notes.txt'), 'mine')
  const cases: readonly (readonly [string, number, string])[] = [
    ['intro --resolution 4k --format webm', 2, 'VID_FLAG_CONFLICT'],
    ['intro --resolution 4k -o v.mov', 2, 'VID_FLAG_CONFLICT'],
    ['intro --asset-id asset_1', 2, 'VID_FLAG_CONFLICT'],
    ['--asset-id asset_1 --url https://example.com/p.zip', 2, 'VID_FLAG_CONFLICT'],
    ['intro --no-wait -o v.mp4', 2, 'VID_FLAG_CONFLICT'],
    ['intro --fps 241', 2, 'VID_FLAG_INVALID'],
    ['intro --fps 100/3', 2, 'VID_FLAG_INVALID'],
    ['intro --format gif', 2, 'VID_FLAG_INVALID'],
    ['intro --idempotency-key a/b', 2, 'VID_FLAG_INVALID'],
    ['intro --callback-id a', 2, 'VID_FLAG_ALONE'],
    ['intro --variables {"other":1} --strict-variables', 1, 'VID_VARIABLES_STRICT'],
    ['empty', 2, 'VID_ENTRY_MISSING'],
    ['intro -o new.pdf', 2, 'VID_OUTPUT_SUFFIX'],
    ['intro -o notes.txt --format mp4', 2, 'VID_OUTPUT_EXISTS'],
    ['intro -o intro/index.html --format mp4', 2, 'VID_OUTPUT_INPUT'],
  ]
  for (const [words, exit, named] of cases) {
    const { code, stdout, stderr } = await run(`cloud render ${words}`)
    expect([words, code, stdout, stderr.includes(named)], stderr).toEqual([words, exit, '', true])
  }
  expect(server.requests).toEqual([])
})

test('files that the project names and that are not sent are warned of; without the entry file, nothing is', async () => {
  const { cwd, server, run } = await workplace(
    {},
    page().replace('<body>', '<body><script src="node_modules/left-out.js"></script>'),
  )
  const { code, stderr } = await run('cloud render intro --no-wait')
  expect([code, stderr]).toEqual([0, expect.stringMatching(/VID_API_LEFT_BEHIND: .*node_modules\/left-out\.js/)])
  await mkdir(join(cwd, 'intro/dist'))
  await writeFile(join(cwd, 'intro/dist/index.html'), page())
  const out = await run('cloud render intro -c dist/index.html --no-wait')
  expect([out.code, out.stderr]).toEqual([2, expect.stringContaining('VID_API_ENTRY_LEFT_OUT')])
  expect(server.lines('POST /v3/assets')).toHaveLength(1)
})

test('variables that do not fit are warnings, and the server is told to take them', async () => {
  const { server, run } = await workplace()
  const { code, stderr } = await run('cloud render intro --no-wait --variables {"title":5}')
  expect([code, stderr]).toEqual([0, expect.stringContaining('VID_VARIABLE_TYPE_MISMATCH')])
  expect(bodyOf(server)).toMatchObject({ strict_variables: false })
})

test('Ctrl-C while polling leaves the render alone, and says how to get it', async () => {
  const { cwd, env, server } = await workplace({ records: [{ status: 'rendering' }] })
  const { child, done } = start(['cloud', 'render', 'intro', '--poll-interval', '30'], { cwd, env })
  await until(async () => server.lines('GET /v3/vid/renders/render_1')[0])
  child.kill('SIGINT')
  const { code, stdout, stderr } = await done
  expect([code, stdout], stderr).toEqual([130, ''])
  expect(stderr).toMatch(/VID_RENDER_LEFT[\s\S]*vid cloud get render_1/)
  expect(server.lines('DELETE')).toEqual([])
})

test('a wait that is over ends with 1, and says how to get the render', async () => {
  const { run } = await workplace({ records: [{ status: 'rendering' }] })
  const { code, stderr } = await run('cloud render intro --poll-interval 0.1 --max-wait 0.01')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/VID_API_WAIT_OVER[\s\S]*vid cloud get render_1/)])
})

test('a server that is away for a while, busy or broken does not end the wait', async () => {
  const { server, run } = await workplace({
    answers: {
      'GET /v3/vid': inTurn(
        hangUp,
        refuse(429, 'rate_limit_exceeded', { headers: { 'retry-after': '1' } }),
        refuse(503, 'unavailable'),
        hangUp,
      ),
    },
  })
  const { code, stdout } = await run('cloud render intro --poll-interval 0.1')
  expect([code, stdout]).toEqual([0, 'renders/render_1.mp4\n'])
  expect(server.lines('GET /v3/vid')).toHaveLength(5)
})

test('a render that fails ends with 1 and the reason of the server', async () => {
  const { cwd, run } = await workplace({
    records: [{ status: 'failed', failure_code: 'VID_PAGE_FAILED', failure_message: 'the page threw' }],
  })
  const { code, stdout, stderr } = await run('cloud render intro --poll-interval 0.1')
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('error VID_PAGE_FAILED: the page threw')])
  expect(await readdir(cwd)).not.toContain('renders')
})

test('renders are listed, shown and deleted', async () => {
  const { server, run } = await workplace()
  await run('cloud render intro --no-wait')
  const listed = await run('cloud list')
  expect(listed.stdout).toMatch(/^render_1 {2}completed/)
  const shown = await run('cloud get render_1')
  expect(shown.stdout).toContain(`${server.url}/v3/files/video?signature=`)
  const [event] = eventsOf((await run('cloud get render_1 --json')).stdout)
  expect(event).toMatchObject({
    type: 'cloud-render',
    render: { video_url: expect.stringContaining('signature=') },
  })
  const result = await run('cloud delete render_1')
  expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('--no-confirm')])
  expect(server.renders.size).toBe(1)
  const deleted = await run('cloud delete render_1 --no-confirm')
  expect([deleted.code, deleted.stdout, server.renders.size]).toEqual([0, 'render_1\n', 0])
  const gone = await run('cloud get render_1 --json')
  expect([gone.code, eventsOf(gone.stdout)]).toMatchObject([
    2,
    [{ type: 'cloud-error', error: { code: 'vid_render_not_found' } }],
  ])
})

test('a composition is published at draft, listed, and taken back', async () => {
  const { server, run } = await workplace()
  const { code, stdout, stderr } = await run('publish intro --public --poll-interval 0.1')
  expect([code, stdout], stderr).toEqual([0, `${server.url}/p/abc\n`])
  expect(bodyOf(server)).toMatchObject({ quality: 'draft', title: 'intro' })
  expect([...server.publications.values()]).toMatchObject([
    { render_id: 'render_1', title: 'intro', public: true, play: true },
  ])
  expect((await run('publish --list')).stdout).toMatch(/^pub_1 .* {2}public {3}plays {2}http/)
  expect((await run('publish --unpublish pub_1')).stdout).toBe('pub_1\n')
  expect(server.publications.size).toBe(0)
  const unplayed = await run('publish intro --no-play --no-wait --json')
  expect(eventsOf(unplayed.stdout).at(-1)).toMatchObject({
    type: 'publish-complete',
    publication: { play: false },
  })
  expect((await run('publish --list')).stdout).toMatch(/^pub_1 .* {2}private {2}video {2}http/)
})

test('a key is read from stdin, stored for this user alone, used, and removed', async () => {
  const { run, credentials, server } = await workplace()
  const env = { HOST_API_KEY: '' }
  const none = await run('auth status', { env })
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('VID_CREDENTIALS_MISSING')])
  const stored = await run('auth login --api-key', { env, input: `${KEY}\n` })
  expect([stored.code, stored.stdout], stored.stderr).toEqual([0, `signed in at ${server.url} as ann@example.com\n`])
  expect((await stat(credentials)).mode & 0o777).toBe(0o600)
  const status = await run('auth status', { env })
  expect(status.stdout).toMatch(
    /API key, from [\s\S]*credentials[\s\S]*ann@example\.com[\s\S]*rendered +60 s[\s\S]*billed +75 s, of 3600 s/,
  )
  for (const { stdout, stderr } of [none, stored, status]) expect(stdout + stderr).not.toContain(KEY)
  const other = await run('auth status', { env: { ...env, VID_API_KEY: 'another' } })
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('unauthorized')])
  expect((await run('auth refresh', { env })).stderr).toContain('VID_CREDENTIALS_NO_REFRESH')
  await chmod(credentials, 0o644)
  const wide = await run('auth status', { env })
  expect([wide.code, wide.stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${credentials}`)])
  await chmod(credentials, 0o600)
  expect((await run('auth logout', { env })).code).toBe(0)
  await expect(stat(credentials)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a key on the command line is refused, and not repeated', async () => {
  const { run } = await workplace()
  for (const words of ['auth login --api-key secret-key', 'auth login --api-key=secret-key']) {
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining('secret-key')])
  }
})

test('a person signs in by the browser, the token is refreshed, and signing out revokes it', async () => {
  const { cwd, env, run, server, credentials } = await workplace()
  const keyless = { ...env, HOST_API_KEY: '' }
  const login = start(['auth', 'login', '--no-browser'], { cwd, env: keyless })
  const [, address = ''] = await printed(login, /sign in at: (\S+)\n/)
  expect(await (await fetch(address)).text()).toContain('You can close this tab')
  expect(await login.done).toMatchObject({ code: 0, stdout: `signed in at ${server.url} as ann@example.com\n` })
  const before = JSON.parse(await readFile(credentials, 'utf8')).oauth.access_token
  // The server takes the token no more: the command refreshes it, and asks once more.
  server.signIns.tokens.delete(before)
  const { code, stdout } = await run('cloud render intro --no-wait', { env: { HOST_API_KEY: '' } })
  expect([code, stdout]).toEqual([0, 'render_1\n'])
  const forced = await run('auth refresh', { env: { HOST_API_KEY: '' } })
  expect(forced.stdout).toMatch(/^refreshed; the token is valid until 20\d\d-/)
  const { refresh_token: last } = JSON.parse(await readFile(credentials, 'utf8')).oauth
  const elsewhere = await run('auth status', {
    env: { HOST_API_KEY: '', HOST_API_URL: 'http://127.0.0.1:1' },
  })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('VID_CREDENTIALS_ELSEWHERE')])
  expect((await run('auth logout', { env: { HOST_API_KEY: '' } })).code).toBe(0)
  expect(server.signIns.revoked).toEqual([last])
})

test('a server that is not there ends with 1 and says what to do', async () => {
  const { run } = await workplace()
  const { code, stderr } = await run('cloud list', { env: { HOST_API_URL: 'http://127.0.0.1:1' } })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/VID_API_UNREACHABLE[\s\S]*HOST_API_URL[\s\S]*vid cloud serve/),
  ])
})
