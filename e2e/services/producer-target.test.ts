import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProducerClient } from '@vid/client'
import { readManifest, writeProjectZip } from '@vid/project'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { descendants, here, launch, printed, scratch, start, vidInProcess } from '../support/vid.ts'

const page = (frames: number, script = '') => `<!doctype html><style>body { margin: 0 }</style>
<div data-composition-id="root" data-width="64" data-height="48" data-duration="${frames / 30}" data-no-timeline
 data-composition-variables='[{"id":"colour","type":"color","label":"Colour","default":"#c82828"}]'
 style="width:64px;height:48px;background:var(--colour)"></div><script>${script}</script>`

const config = `import producer from '@vid/target-producer'
export default { targets: { farm: producer({ url: process.env.FARM_URL ?? 'http://127.0.0.1:1' }) } }`

/** A folder of one who renders: a config with the target, and a composition. */
const workplace = async (frames = 4, script = '') => {
  const folder = await scratch()
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'vid.config.mjs'), config)
  await mkdir(join(folder, 'intro'))
  await writeFile(join(folder, 'intro/index.html'), page(frames, script))
  return folder
}

/** Waits until a render server listens. */
const listening = async (server: ReturnType<typeof start>) => {
  const [line] = await printed(server, /^.*producer-start.*\n/m)
  const { url } = JSON.parse(line) as { url: string }
  return { ...server, url, port: Number(new URL(url).port) }
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** Digests of a file, or of every file of a folder. */
const digestsOf = async (path: string): Promise<string[]> => {
  if (!(await stat(path)).isDirectory()) return [await sha256(path)]
  return Promise.all((await readdir(path)).sort().map((name) => sha256(join(path, name))))
}

/** A network that may cut: passes connections on to a port, and cuts the first download in its middle. */
const cuttingProxy = async (port: number) => {
  const ranges: string[] = []
  const open = new Set<Socket>()
  let cuts = 0
  const proxy: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let isDownload = false
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => (socket === near ? far : near).destroy())
    }
    near.on('data', (data) => {
      const text = data.toString('latin1')
      isDownload = text.startsWith('GET /outputs/')
      if (isDownload) ranges.push(/^range: (.*)$/im.exec(text)?.[1]?.trim() ?? 'whole')
      far.write(data)
    })
    far.on('data', (data) => {
      const body = data.indexOf('\r\n\r\n') + 4
      if (!isDownload || cuts > 0) return near.write(data)
      cuts += 1
      // The head of the reply, and some of the file.
      return near.end(data.subarray(0, body + 300), () => far.destroy())
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, ranges }
}

const wordsOf = (flags: readonly string[]) => {
  const port = flags.includes('--port') ? [] : ['--port', '0']
  return ['producer', ...port, '--json', ...flags]
}

/** Starts a render server of its own process. */
const serve = (cwd: string, ...flags: readonly string[]) => listening(start(wordsOf(flags), { cwd }))

/** One server for the tests that need no other. */
let shared: Awaited<ReturnType<typeof serve>>
let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vid-target-'))
  shared = await listening(launch(wordsOf([]), { cwd: root }))
})
afterAll(async () => {
  shared?.child.kill('SIGKILL')
  await shared?.done
  await rm(root, { recursive: true, force: true })
})

/** Runs a command line with a server in its target `farm`. */
const vidWith = (url: string, words: readonly string[], cwd: string) => {
  vi.stubEnv('FARM_URL', url)
  return vidInProcess(words, { cwd }).finally(() => vi.unstubAllEnvs())
}

/** Waits until the command reports a frame. */
const midway = (run: ReturnType<typeof start>) => printed(run, /"stage":"render"/)

/** A server draws as every machine does. */
const PORTABLE = ['--raster', 'portable'] as const

/** A folder of files, and several outputs; other tests have one file. */
const OUTPUTS = { 'png-sequence': ['video'], 'mp4,webm': ['video.mp4', 'video.webm'] } as const

test('a project gives the same bytes here and on a server, however it gets there, and is sent once', async () => {
  const work = await workplace()
  const root = await scratch()
  await mkdir(join(root, 'site/intro'), { recursive: true })
  await writeFile(join(root, 'site/intro/index.html'), page(4))
  const server = await serve(root, '--root', 'site')
  const client = createProducerClient({ url: server.url })
  const render = (where: string, formats: string, ...flags: string[]) =>
    vidWith(server.url, ['render', 'intro', ...flags, '--format', formats, '-o', `${where}/video`, '--strict'], work)
  const zip = join(work, 'intro.zip')
  const manifest = await readManifest(join(work, 'intro'))
  await writeProjectZip(join(work, 'intro'), manifest, zip)
  for (const [index, [format, names]] of Object.entries(OUTPUTS).entries()) {
    const near = `near-${index}`
    const far = `far-${index}`
    const runs = [await render(near, format, ...PORTABLE), await render(far, format, '--target', 'farm')]
    for (const { code, stderr } of runs) expect(code, stderr).toBe(0)
    for (const { stderr } of runs) expect(stderr).not.toContain('warning')
    const [expected, digests] = await Promise.all(
      [near, far].map((folder) => Promise.all(names.map((name) => digestsOf(join(work, folder, name))))),
    )
    expect(digests, format).toEqual(expected)
  }
  const form = new FormData()
  form.set('request', JSON.stringify({ format: 'mp4' }))
  form.set('projectZip', new Blob([await readFile(zip)], { type: 'application/zip' }))
  const byZip = await (await fetch(`${server.url}/render`, { method: 'POST', body: form })).json()
  const others = [
    byZip,
    await client.render({ html: page(4), format: 'mp4' }),
    await client.render({ projectDir: 'intro', format: 'mp4' }),
    await client.render({ project: manifest.digest, format: 'mp4' }),
  ]
  const [expected] = await digestsOf(join(work, 'near-1/video.mp4'))
  expect(others.map(({ digest }) => digest)).toEqual(others.map(() => expected))
  await client.close()
  const sent = server.text.stderr.split('\n').filter((line) => line.includes('"method":"PUT"'))
  expect(sent).toHaveLength(1)
})

test('captions are text tracks of a video that a server renders, and files in the zip of another client', async () => {
  const work = await workplace()
  const server = shared
  const cue = 'WEBVTT\n\n00:00.000 --> 00:00.100\nHello\n'
  const track = '<track kind="captions" src="talk.vtt" srclang="de">'
  await writeFile(join(work, 'intro/index.html'), page(4).replace('</div>', `${track}</div>`))
  await writeFile(join(work, 'intro/talk.vtt'), cue)
  const render = (...flags: string[]) => vidWith(server.url, ['render', 'intro', ...flags], work)
  const near = await render('--captions', 'track', '-o', 'near.mp4', ...PORTABLE)
  const far = await render('--captions', 'track', '-o', 'far.mp4', '--target', 'farm')
  for (const { code, stderr } of [near, far]) expect(code, stderr).toBe(0)
  expect(await digestsOf(join(work, 'far.mp4'))).toEqual(await digestsOf(join(work, 'near.mp4')))
  const refused = await render('--captions', 'sidecar', '-o', 'refused.mp4', '--target', 'farm')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_TARGET_REFUSES') })
  const form = new FormData()
  const zip = join(work, 'intro.zip')
  await writeProjectZip(join(work, 'intro'), await readManifest(join(work, 'intro')), zip)
  form.set('request', JSON.stringify({ format: 'webm', captions: 'sidecar' }))
  form.set('projectZip', new Blob([await readFile(zip)], { type: 'application/zip' }))
  const reply = await (await fetch(`${server.url}/render`, { method: 'POST', body: form })).json()
  expect(reply.files).toEqual(['video.webm', 'video.de.vtt', 'video.de.srt'])
})

test('a batch is rendered on the server, each row with its own values', async () => {
  const work = await workplace()
  const server = shared
  const rows = [{ colour: '#ff0000' }, { colour: '#00ff00' }, { colour: '#0000ff' }]
  await writeFile(join(work, 'rows.json'), JSON.stringify(rows))
  const batch = (where: string, ...flags: string[]) =>
    vidWith(
      server.url,
      ['render', 'intro', '--batch', 'rows.json', '--batch-concurrency', '2', '-o', `${where}/{index}.mp4`, ...flags],
      work,
    )
  for (const run of [await batch('near', ...PORTABLE), await batch('far', '--target', 'farm')])
    expect(run.code, run.stderr).toBe(0)
  const videos = async (name: string) =>
    (await readdir(join(work, name))).filter((file) => file.endsWith('.mp4')).sort()
  const names = await videos('near')
  expect([names.length, await videos('far')]).toEqual([3, names])
  const digests = await Promise.all(names.map((name) => sha256(join(work, 'far', name))))
  expect(digests).toEqual(await Promise.all(names.map((name) => sha256(join(work, 'near', name)))))
  expect(new Set(digests).size).toBe(3)
})

longTest('shapes are rendered on the server, each by a request of its own', async () => {
  const work = await workplace()
  const server = shared
  const shapes = (where: string, ...flags: string[]) =>
    vidWith(server.url, ['render', 'intro', '--shapes', '9:16,1:1', '-o', `${where}/film.mp4`, ...flags], work)
  for (const run of [await shapes('near', ...PORTABLE), await shapes('far', '--target', 'farm')])
    expect(run.code, run.stderr).toBe(0)
  const names = (await readdir(join(work, 'far'))).sort()
  expect(names).toEqual(['film-1x1.mp4', 'film-9x16.mp4'])
  const digests = await Promise.all(names.map((name) => sha256(join(work, 'far', name))))
  expect(digests).toEqual(await Promise.all(names.map((name) => sha256(join(work, 'near', name)))))
  expect(new Set(digests).size).toBe(2)
})

test('SIGINT cancels the render at the server and leaves nothing behind', async () => {
  const work = await workplace(18_000)
  const server = shared
  const temp = await scratch()
  const env = { FARM_URL: server.url, TMPDIR: temp }
  const before = await readdir(work)
  const run = start(['render', 'intro', '--target', 'farm', '-o', 'video.mp4', '--json'], { cwd: work, env })
  await midway(run)
  // No browser and no encoder of its own.
  expect(await descendants(run.child.pid)).toEqual([])
  run.child.kill('SIGINT')
  expect((await run.done).code).toBe(130)
  await printed(server, /"status":"cancelled"/)
  const client = createProducerClient({ url: server.url })
  expect(await client.queue()).toMatchObject({ activeRenders: 0, queuedRenders: 0 })
  await client.close()
  expect([await readdir(temp), await readdir(work)]).toEqual([[], before])
})

test('a server that is killed and started again goes on, and the command delivers', async () => {
  const work = await workplace(900)
  const root = await scratch()
  const server = await serve(root, '--state', 'state')
  const env = { FARM_URL: server.url }
  const run = start(['render', 'intro', '--target', 'farm', '-o', 'far.mp4', '--json'], { cwd: work, env })
  await midway(run)
  server.child.kill('SIGKILL')
  await server.done
  const again = await serve(root, '--state', 'state', '--port', String(server.port))
  const { code, stdout, stderr } = await run.done
  expect(code, stdout + stderr).toBe(0)
  expect(again.text.stderr).toContain('"waiting":1')
  const near = await vidInProcess(['render', 'intro', ...PORTABLE, '-o', 'near.mp4'], { cwd: work })
  expect(near.code, near.stderr).toBe(0)
  expect(await sha256(join(work, 'far.mp4'))).toBe(await sha256(join(work, 'near.mp4')))
})

longTest('a server without a state folder that is killed is sent everything again', async () => {
  const work = await workplace(900)
  const root = await scratch()
  const server = await serve(root)
  const env = { FARM_URL: server.url }
  const run = start(['render', 'intro', '--target', 'farm', '-o', 'far.mp4', '--json'], { cwd: work, env })
  await midway(run)
  server.child.kill('SIGKILL')
  await server.done
  const again = await serve(root, '--port', String(server.port))
  const { code, stdout, stderr } = await run.done
  expect(code, stdout + stderr).toBe(0)
  expect(again.text.stderr).toContain('"method":"PUT"')
})

test('a download that is cut in its middle goes on where it ended', async () => {
  const work = await workplace()
  const server = shared
  const { url, ranges } = await cuttingProxy(server.port)
  const far = await vidWith(url, ['render', 'intro', '--target', 'farm', '-o', 'far.mp4'], work)
  expect(far.code, far.stderr).toBe(0)
  expect(ranges).toEqual(['whole', 'bytes=300-'])
  const near = await vidInProcess(['render', 'intro', ...PORTABLE, '-o', 'near.mp4'], { cwd: work })
  expect(near.code, near.stderr).toBe(0)
  expect(await sha256(join(work, 'far.mp4'))).toBe(await sha256(join(work, 'near.mp4')))
})
