import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readManifest, writeProjectZip } from '@vid/project'
import { expect, onTestFinished, test } from 'vitest'
import {
  allEvents,
  endlessPage,
  eventsOf,
  makeFolder,
  page,
  sharedProducer,
  sharedTokenProducer,
  startProducer,
  TOKENS,
} from './fixtures/producer.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A zip of a folder, as bytes. */
const zipOf = async (folder: string) => {
  const manifest = await readManifest(folder)
  const file = join(await makeFolder(), 'project.zip')
  await writeProjectZip(folder, manifest, file)
  return { digest: manifest.digest, bytes: await readFile(file) }
}

const form = (request: unknown, zip: Uint8Array) => {
  const body = new FormData()
  body.set('request', JSON.stringify(request))
  body.set('projectZip', new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }), 'p.zip')
  return { method: 'POST', body }
}

test('the same composition by folder, html, zip and digest gives the same bytes', async () => {
  const { send, post, cwd } = await sharedProducer()
  const { digest, bytes } = await zipOf(join(cwd, 'intro'))
  const settings = { quality: 'draft' }
  const byFolder = await (await post('/render', { projectDir: 'intro', ...settings })).json()
  const byHtml = await (await post('/render', { html: page(), ...settings })).json()
  const byZip = await (await send('/render', form(settings, bytes))).json()
  const headRequest = { method: 'HEAD' }
  expect((await send(`/projects/${'0'.repeat(64)}`, headRequest)).status).toBe(404)
  expect((await send(`/projects/${digest}`, headRequest)).status).toBe(200)
  const put = { method: 'PUT', headers: { 'content-type': 'application/zip' }, body: new Blob([bytes]) }
  expect(await (await send(`/projects/${digest}`, put)).json()).toMatchObject({ project: digest, files: 1 })
  const wrong = await send(`/projects/${'0'.repeat(64)}`, put)
  expect([wrong.status, (await wrong.json()).error.code]).toEqual([400, 'VID_PRODUCER_PROJECT_DIGEST'])
  const byDigest = await (await post('/render', { project: digest, ...settings })).json()
  const digests = [byFolder, byHtml, byZip, byDigest].map((render) => render.digest)
  expect(new Set(digests).size).toBe(1)
  expect(byFolder).toMatchObject({
    success: true,
    frames: 3,
    videoDurationSeconds: 0.1,
    contentType: 'video/mp4',
  })
  const fetched = await send(byFolder.outputUrl)
  const body = new Uint8Array(await fetched.arrayBuffer())
  expect([sha256(body), body.length]).toEqual([byFolder.digest, byFolder.fileSize])
  expect(fetched.headers.get('content-disposition')).toContain('video.mp4')
})

test('a stream tells its place, its progress and one end, and the record tells the same afterwards', async () => {
  const { send, post } = await sharedProducer()
  const first = post('/render/stream', { html: endlessPage }, { 'x-request-id': 'first' })
  await first
  const second = await post('/render/stream', { html: page() }, { 'x-request-id': 'second' })
  const events = eventsOf(second)
  expect((await events.next()).value).toEqual({ type: 'queued', requestId: 'second', position: 0 })
  expect(await (await send('/render/second')).json()).toMatchObject({ status: 'queued', position: 0 })
  expect(await (await send('/render/queue')).json()).toEqual({
    maxConcurrentRenders: 1,
    activeRenders: 1,
    queuedRenders: 1,
  })
  expect(await (await send('/render/first', { method: 'DELETE' })).json()).toMatchObject({
    status: 'cancelled',
  })
  const rest = []
  for await (const event of events) rest.push(event)
  const kinds = rest.map(({ type }) => type)
  expect(kinds.filter((type) => type !== 'progress')).toEqual(['complete'])
  expect(kinds.at(-1)).toBe('complete')
  expect((await allEvents(await first)).at(-1)).toEqual({ type: 'cancelled', requestId: 'first' })
  const record = await (await send('/render/second')).json()
  const { type: _type, ...result } = rest.at(-1) as { type: string }
  expect(record).toMatchObject({ status: 'completed', result })
  const again = await send('/render/second', { method: 'DELETE' })
  expect([again.status, (await again.json()).error.code]).toEqual([409, 'VID_PRODUCER_ENDED'])
})

test('a project is sent once, and refused when it is another than its digest says', async () => {
  const { send, post } = await sharedProducer()
  const { digest, bytes } = await zipOf(await makeFolder({ 'index.html': page('olive') }))
  const put = (name: string) =>
    send(`/projects/${name}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/zip' },
      body: new Blob([bytes as Uint8Array<ArrayBuffer>]),
    })
  const other = await put('0'.repeat(64))
  expect([other.status, (await other.json()).error]).toMatchObject([
    400,
    { code: 'VID_PRODUCER_PROJECT_DIGEST', fault: 'caller' },
  ])
  expect((await send(`/projects/${digest}`, { method: 'HEAD' })).status).toBe(404)
  const reply = await put(digest)
  expect([reply.status, await reply.json()]).toMatchObject([200, { project: digest, files: 1 }])
  const rendered = await (await post('/render', { project: digest, quality: 'draft' })).json()
  expect(rendered).toMatchObject({ success: true, files: [] })
})

/** Keys that no body has. */
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))

test('what is refused is refused by its code and status, before anything is queued', async () => {
  const { post, send, cwd, producer } = await startProducer({ bodyBytes: 4096, uploadBytes: 8192 })
  await symlink('/etc', join(cwd, 'etc'))
  const cases: readonly (readonly [object, number, string, string?])[] = [
    [{}, 400, 'VID_PRODUCER_SOURCE'],
    [{ html: 'x', projectDir: 'intro' }, 400, 'VID_PRODUCER_SOURCE'],
    [{ projectDir: '..' }, 403, 'VID_PRODUCER_OUTSIDE', 'projectDir'],
    [{ projectDir: 'etc' }, 403, 'VID_PRODUCER_OUTSIDE', 'projectDir'],
    [{ projectDir: 'gone' }, 400, 'VID_PRODUCER_MISSING', 'projectDir'],
    [{ projectDir: 'intro', entryFile: 'gone.html' }, 400, 'VID_PRODUCER_MISSING', 'entryFile'],
    [{ projectDir: 'intro', outputPath: '../x.mp4' }, 403, 'VID_PRODUCER_OUTSIDE', 'outputPath'],
    [{ projectDir: 'intro', outputPath: 'x.mkv' }, 400, 'VID_OUTPUT_SUFFIX'],
    [{ html: page(), entryFile: '../a.html' }, 400, 'VID_PRODUCER_ENTRY'],
    [{ html: page(), fps: 0 }, 400, 'VID_HTTP_INVALID', 'fps'],
    [{ html: page(), crf: 3, videoBitrate: '1M' }, 400, 'VID_REQUEST_INVALID', 'crf'],
    [{ html: page(), format: 'avi' }, 400, 'VID_FORMAT_UNKNOWN'],
    [{ html: page(), network: 'public' }, 403, 'VID_NETWORK_LIMITED'],
    [{ html: page(), shapes: '16:9,9:16' }, 400, 'VID_SHAPES_SEVERAL'],
    [{ html: page(), shapes: 'tall' }, 400, 'VID_HTTP_INVALID', 'shapes'],
    [{ html: page(), colour: 'red' }, 400, 'VID_HTTP_INVALID', 'colour'],
    [{ html: page(), fps: 29.5 }, 400, 'VID_HTTP_INVALID', 'fps'],
    [{ html: page(), ...unknown(1), force: true }, 400, 'VID_HTTP_INVALID', 'key0'],
    [{ html: page(), ...unknown(8), force: true }, 400, 'VID_HTTP_INVALID', 'key0'],
    [{ html: page(), ...unknown(100), timeoutMs: 'x' }, 400, 'VID_HTTP_INVALID', 'key0'],
    [{ html: page(), preset: 'nobody' }, 400, 'VID_PRESET_UNKNOWN'],
    [{ project: 'f'.repeat(64) }, 404, 'VID_PRODUCER_PROJECT_UNKNOWN'],
  ]
  for (const [body, status, code, field] of cases) {
    const reply = await post('/render/stream', body)
    const { success, error, requestId } = await reply.json()
    expect([body, reply.status, success, error.code, error.field]).toEqual([body, status, false, code, field])
    expect(requestId).toBe(reply.headers.get('x-request-id'))
    expect(error.message).not.toContain(cwd)
  }
  const compositions = [
    ['<p>no root</p>', 'VID_COMPOSITION_NO_ROOT'],
    ['<div data-composition-id="a"></div>', 'VID_COMPOSITION_NO_SIZE'],
  ] as const
  for (const [html, code] of compositions) {
    const reply = await post('/render', { html })
    expect([reply.status, (await reply.json()).error.code]).toEqual([400, code])
  }
  const text = await send('/render', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })
  expect([text.status, (await text.json()).error.code]).toEqual([415, 'VID_HTTP_MEDIA_TYPE'])
  const large = await post('/render', { html: page().repeat(20) })
  expect([large.status, (await large.json()).error.code]).toEqual([413, 'VID_HTTP_BODY_TOO_LARGE'])
  const upload = await send('/render', form({}, new Uint8Array(9000)))
  expect([upload.status, (await upload.json()).error.code]).toEqual([413, 'VID_HTTP_BODY_TOO_LARGE'])
  const long = await send('/render', form({ variables: { text: 'x'.repeat(5000) } }, new Uint8Array(100)))
  expect([long.status, (await long.json()).error.code]).toEqual([413, 'VID_HTTP_BODY_TOO_LARGE'])
  const junk = await send('/render', form({}, new Uint8Array(900)))
  expect([junk.status, (await junk.json()).error.code]).toEqual([400, 'VID_ZIP_INVALID'])
  expect(await (await send('/render/queue')).json()).toMatchObject({ activeRenders: 0, queuedRenders: 0 })
  await producer.close()
})

test('a small zip of a large file is refused while it is unpacked, and leaves nothing', async () => {
  const cwd = await makeFolder()
  const { send } = await startProducer({ cwd, stateDir: 'state', unpackedBytes: 2 ** 20 })
  const { digest, bytes } = await zipOf(await makeFolder({ 'index.html': page(), 'zeros.txt': '0'.repeat(2 ** 23) }))
  expect(bytes.length).toBeLessThan(2 ** 15)
  const body = { method: 'PUT', headers: { 'content-type': 'application/zip' }, body: bytes }
  const reply = await send(`/projects/${digest}`, body)
  expect([reply.status, (await reply.json()).error.code]).toEqual([413, 'VID_ZIP_BYTES'])
  expect(await readdir(join(cwd, 'state/projects'))).toEqual(['incoming'])
  expect(await readdir(join(cwd, 'state/projects/incoming'))).toEqual([])
})

test('several outputs and images come as a zip, and outputs stand where the request wants them', async () => {
  const { post, send, cwd } = await sharedProducer()
  const namesInZip = async (url: string) => {
    const file = join(await makeFolder(), 'got.zip')
    await writeFile(file, new Uint8Array(await (await send(url)).arrayBuffer()))
    const script = 'import sys,zipfile;print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
    return execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }).trim().split('\n')
  }
  const images = await (await post('/render', { html: page(), format: 'png-sequence' })).json()
  expect(images).toMatchObject({ contentType: 'application/zip', outputPath: 'video.zip' })
  expect(await namesInZip(images.outputUrl)).toEqual(['frame_000000.png', 'frame_000001.png', 'frame_000002.png'])
  const both = await (await post('/render', { html: page(), format: 'mp4,gif' })).json()
  expect(await namesInZip(both.outputUrl)).toEqual(['video.gif', 'video.mp4'])
  const result = await (await post('/render', { projectDir: 'intro', outputPath: 'a/b.webm' })).json()
  expect(result).toMatchObject({ outputPath: 'a/b.webm', contentType: 'video/webm' })
  expect(sha256(await readFile(join(cwd, 'renders/a/b.webm')))).toBe(result.digest)
})

test('a result whose place another render has taken is gone: its token opens nothing else', async () => {
  const { post, send } = await sharedProducer()
  const renderTo = async (colour: string) => (await post('/render', { html: page(colour), outputPath: 'v.mp4' })).json()
  const first = await renderTo('red')
  const second = await renderTo('blue')
  expect((await send(first.outputUrl)).status).toBe(404)
  expect((await send(second.outputUrl)).status).toBe(200)
})

test('stills and lint answer without a video', async () => {
  const { post, send } = await sharedProducer()
  const stills = await (await post('/snapshot', { html: page(), at: '0s,50%' })).json()
  expect(stills).toMatchObject({ success: true, width: 32, height: 32 })
  expect(stills.snapshots.map(({ frame }: { frame: number }) => frame)).toEqual([0, 1])
  const png = await send(stills.snapshots[0].outputUrl)
  expect([png.headers.get('content-type'), Buffer.from(await png.arrayBuffer()).toString('latin1', 1, 4)]).toEqual([
    'image/png',
    'PNG',
  ])
  const report = await (await post('/lint', { html: page().replace('</div>', '<img src="gone.png"></div>') })).json()
  expect(report).toMatchObject({ ok: false, errors: 1, findings: [{ code: 'lint/missing-asset' }] })
})

test('a client that leaves cancels its render, waiting or running; one that does not wait does not', async () => {
  const { post, send } = await sharedProducer()
  const leave = new AbortController()
  const call = post('/render/stream', { html: endlessPage }, { 'x-request-id': 'gone' }, { signal: leave.signal })
  await call
  const waiting = post('/render', { html: page() }, { 'x-request-id': 'waiting' }, { signal: leave.signal })
  const follow = await send('/render/gone/stream')
  const detached = await post('/render', { html: page() }, { prefer: 'respond-async', 'x-request-id': 'kept' })
  expect([detached.status, detached.headers.get('location')]).toEqual([202, '/render/kept'])
  leave.abort()
  await waiting.catch(() => {})
  expect((await allEvents(follow)).at(-1)).toEqual({ type: 'cancelled', requestId: 'gone' })
  const end = (await allEvents(await send('/render/kept/stream'))).at(-1)
  expect(end).toMatchObject({ type: 'complete', requestId: 'kept' })
  expect(await (await send('/render/waiting')).json()).toMatchObject({ status: 'cancelled' })
})

test('clients of different tokens know nothing of each other', async () => {
  const [one, other] = TOKENS
  const { post, send } = await sharedTokenProducer()
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  expect((await post('/render', { html: page() })).status).toBe(401)
  expect((await send('/metrics')).status).toBe(401)
  expect((await send('/health')).status).toBe(200)
  const done = await (await post('/render', { html: page() }, { ...as(one), 'x-request-id': 'mine' })).json()
  for (const [path, method] of [
    ['/render/mine', 'GET'],
    ['/render/mine', 'DELETE'],
    ['/render/mine/stream', 'GET'],
    [done.outputUrl, 'GET'],
    [done.outputUrl, 'HEAD'],
    [`/outputs/${'A'.repeat(43)}`, 'GET'],
  ] as const)
    expect([path, method, (await send(path, { method, headers: as(other) })).status]).toEqual([path, method, 404])
  expect((await send(done.outputUrl)).status).toBe(401)
  expect((await send(done.outputUrl, { headers: as(one) })).status).toBe(200)
})

test('a client can use the ids of another, and neither learns of the other or replaces what it has', async () => {
  const [one, other] = TOKENS
  const { post, send } = await sharedTokenProducer()
  const as = (token: string) => ({ authorization: `Bearer ${token}`, 'x-request-id': 'same' })
  const done = await (await post('/render', { html: page('red') }, as(one))).json()
  const second = await (await post('/render', { html: page('blue') }, as(other))).json()
  expect([done.success, second.success]).toEqual([true, true])
  expect(second.digest).not.toBe(done.digest)
  expect((await send(done.outputUrl, { headers: as(one) })).status).toBe(200)
  const running = await post('/render/stream', { html: endlessPage }, as(one))
  expect((await post('/render', { html: page('blue') }, as(other))).status).toBe(200)
  expect((await send('/render/same', { method: 'DELETE', headers: as(one) })).status).toBe(200)
  await allEvents(running)
})

test('what clients have sent cannot be named as a composition or an output, wherever the server keeps it', async () => {
  const cwd = await makeFolder({ 'index.html': page() })
  const { post } = await startProducer({ cwd, stateDir: 'state', outputRoot: '.' })
  for (const body of [
    { projectDir: 'state', entryFile: 'requests/a.html' },
    { projectDir: 'state/projects' },
    { projectDir: '.' },
    { html: page(), outputPath: 'state/requests/a.mp4' },
    { html: page(), outputPath: 'state', format: 'png-sequence' },
  ]) {
    const reply = await post('/render', body)
    expect([body, reply.status, (await reply.json()).error.code]).toEqual([body, 403, 'VID_PRODUCER_OUTSIDE'])
  }
  const hidden = await makeFolder({ 'index.html': page() })
  const restarted = await startProducer({ cwd: hidden, stateDir: '.state' })
  expect((await restarted.post('/lint', { projectDir: '.' })).status).toBe(200)
})

test('a folder that becomes a link out of the root while its request waits is not rendered', async () => {
  const cwd = await makeFolder({ 'a/index.html': page(), 'renders/b/x': '' })
  const elsewhere = await makeFolder({ 'index.html': page('navy') })
  const { post, send } = await startProducer({ cwd, maxConcurrentRenders: 1 })
  const first = await post('/render/stream', { html: endlessPage }, { 'x-request-id': 'first' })
  const detached = (id: string) => ({ prefer: 'respond-async', 'x-request-id': id })
  await post('/render', { projectDir: 'a' }, detached('in'))
  await post('/render', { html: page(), outputPath: 'b/v.mp4' }, detached('out'))
  for (const [path, target] of [
    ['a', elsewhere],
    ['renders/b', elsewhere],
  ] as const) {
    await rm(join(cwd, path), { recursive: true })
    await symlink(target, join(cwd, path))
  }
  await send('/render/first', { method: 'DELETE' })
  await allEvents(first)
  for (const id of ['in', 'out']) {
    const events = await allEvents(await send(`/render/${id}/stream`))
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'VID_PRODUCER_OUTSIDE' } })
  }
  expect(await readdir(elsewhere)).toEqual(['index.html'])
})

test('an upload without an announced length stops at the limit, and all of them together at theirs', async () => {
  const { send, cwd, url } = await startProducer({
    stateDir: 'state',
    heldProjectBytes: 3000,
  })
  const put = async (bytes: number) => {
    const path = `/projects/${'0'.repeat(64)}`
    const chunks = async function* () {
      for (let count = 0; count < bytes; count += 1000) yield new Uint8Array(1000)
    }
    const body = chunks()
    const headers = { 'content-type': 'application/zip' }
    const reply = await fetch(`${url}${path}`, {
      method: 'PUT',
      headers,
      body,
      duplex: 'half',
    } as unknown as RequestInit)
    return [reply.status, (await reply.json()).error.code, reply.headers.get('retry-after') !== null]
  }
  expect(await put(2000)).toEqual([400, 'VID_ZIP_INVALID', false])
  expect(await put(4000)).toEqual([429, 'VID_PRODUCER_UPLOADS_FULL', true])
  expect(await put(1e6)).toEqual([429, 'VID_PRODUCER_UPLOADS_FULL', true])
  expect(await readdir(join(cwd, 'state/projects/incoming'))).toEqual([])
  expect((await send('/health')).status).toBe(200)
  const wide = await startProducer({ uploadBytes: 8192 })
  const large = await fetch(`${wide.url}/projects/${'0'.repeat(64)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/zip' },
    duplex: 'half',
    body: (async function* () {
      yield new Uint8Array(9000)
    })(),
  } as unknown as RequestInit)
  expect([large.status, (await large.json()).error.code]).toEqual([413, 'VID_HTTP_BODY_TOO_LARGE'])
})

test('a state folder that others could write into is refused, and what is no request in it is left alone', async () => {
  const cwd = await makeFolder({ 'intro/index.html': page(), 'open/x': '', 'state/requests/stray.txt': 'x' })
  await chmod(join(cwd, 'open'), 0o777)
  await expect(startProducer({ cwd, stateDir: 'open' })).rejects.toMatchObject({
    code: 'VID_PRODUCER_STATE_UNUSABLE',
    message: expect.stringContaining('every user may write into it'),
  })
  await mkdir(join(cwd, 'state/requests/000000000003-x/request.json'), { recursive: true })
  await mkdir(join(cwd, 'state/projects'))
  await symlink('/nowhere', join(cwd, 'state/projects/link'))
  const { post, lines } = await startProducer({ cwd, stateDir: 'state' })
  expect(lines.filter((line) => line.includes('cannot be read; it is left alone'))).toHaveLength(2)
  expect((await post('/render', { projectDir: 'intro' })).status).toBe(200)
  expect(await readdir(join(cwd, 'state/requests'))).toContain('stray.txt')
})

test('a page reaches no server of this machine, this one included, under any policy', async () => {
  const { post, url, lines } = await startProducer({ network: 'public' })
  const asks = `<img src="${url}/health"><script src="${url}/metrics"></script><script>fetch('${url}/render/queue').catch(() => {})</script>`
  for (const network of ['public', 'declared', 'none']) {
    const html = page().replace('</div>', `${asks}</div>`)
    expect((await (await post('/render', { html, network })).json()).error?.code).not.toBe('VID_HTTP_FAILED')
  }
  const routes = lines.flatMap((line) => /"route":"([^"]*)"/.exec(line)?.[1] ?? [])
  expect(new Set(routes)).toEqual(new Set(['/render']))
})

test('an id in flight is refused, and free again afterwards', async () => {
  const { post, send } = await sharedProducer()
  const id = { 'x-request-id': 'twice' }
  const first = await post('/render/stream', { html: endlessPage }, id)
  const second = await post('/render', { html: page() }, id)
  expect([second.status, (await second.json()).error.code]).toEqual([409, 'VID_PRODUCER_DUPLICATE'])
  await send('/render/twice', { method: 'DELETE' })
  await allEvents(first)
  expect((await post('/render', { html: page() }, id)).status).toBe(200)
})

test('renders of one size after another share one browser, and the metrics count them for Prometheus', async () => {
  const { post, send } = await startProducer({ maxConcurrentRenders: 1 })
  const running = () => {
    const processes = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    return [...processes.matchAll(/^ *(\d+) .*--user-data-dir/gm)].map(([, pid = '']) => pid)
  }
  const ofOthers = new Set(running())
  const browsers = new Set<string>()
  for (let number = 0; number < 3; number += 1) {
    expect((await post('/render', { html: page(`rgb(${number}, 0, 0)`) })).status).toBe(200)
    for (const pid of running()) if (!ofOthers.has(pid)) browsers.add(pid)
  }
  expect(browsers.size).toBe(1)
  const reply = await send('/metrics')
  const text = await reply.text()
  expect(reply.headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/^vid_requests_total\{state="completed"\} 3$/m)
  expect(text).toMatch(/^vid_frames_total 9$/m)
  expect(text).toMatch(/^vid_requests_queued 0$/m)
  expect(Number(/^vid_memory_bytes (\d+)/m.exec(text)?.[1])).toBeGreaterThan(50e6)
})

test('a full queue says when to try again', async () => {
  const { post } = await startProducer({ maxConcurrentRenders: 1, maxQueued: 1 })
  const leave = new AbortController()
  const { signal } = leave
  await post('/render/stream', { html: endlessPage }, {}, { signal })
  await post('/render/stream', { html: page() }, {}, { signal })
  const reply = await post('/render/stream', { html: page() })
  expect([reply.status, (await reply.json()).error.code]).toEqual([429, 'VID_PRODUCER_FULL'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  leave.abort()
})

test('bodies that wait and arrive take bounded memory, which is free again when their requests have ended', async () => {
  const { post, send } = await startProducer({
    maxConcurrentRenders: 1,
    heldBodyBytes: 20_000,
    bodyBytes: 16_384,
  })
  const leave = new AbortController()
  const text = 'x'.repeat(12_000)
  const { signal } = leave
  // The text of a page goes to the disk, values of variables stay.
  await post('/render/stream', { html: `${endlessPage}<!--${text}-->` }, { 'x-request-id': 'page' }, { signal })
  await post('/render/stream', { html: page(), variables: { text } }, { 'x-request-id': 'value' }, { signal })
  const reply = await post('/render', { html: page(), variables: { text } })
  expect([reply.status, (await reply.json()).error.code]).toEqual([429, 'VID_PRODUCER_UPLOADS_FULL'])
  for (const id of ['value', 'page']) await send(`/render/${id}`, { method: 'DELETE' })
  expect((await post('/lint', { html: `${page()}<!--${text}-->` })).status).toBe(200)
})

test('bodies that are only announced take no memory: 32 of 16 MiB keep nobody out', async () => {
  const { url, post } = await sharedTokenProducer()
  const authorized = { authorization: `Bearer ${TOKENS[0]}` }
  const head = `POST /render HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorized.authorization}\r\ncontent-type: application/json\r\ncontent-length: ${16 * 2 ** 20}\r\n\r\n`
  const sockets = await Promise.all(
    Array.from({ length: 32 }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      socket.write(`${head}{`)
      return socket
    }),
  )
  const other = await post('/lint', { html: page() }, authorized)
  expect([other.status, await other.json()]).toEqual([200, expect.objectContaining({ success: true })])
  expect(sockets.filter(({ readyState }) => readyState === 'open')).toHaveLength(32)
})

test('a render that takes too long is stopped, and the next one runs', async () => {
  const { post } = await sharedProducer()
  const late = await post('/render', { html: endlessPage, timeoutMs: 1500 })
  expect([late.status, (await late.json()).error.code]).toEqual([500, 'VID_PRODUCER_DEADLINE'])
  expect((await post('/render', { html: page() })).status).toBe(200)
})

test('a result expires, and its file with it', async () => {
  const folder = await makeFolder({ 'intro/index.html': page() })
  const { post, send } = await startProducer({ cwd: folder, stateDir: 'state', outputTtlMs: 1 })
  const done = await (await post('/render', { html: page() })).json()
  const requests = join(folder, 'state/requests')
  await expect.poll(() => readdir(requests)).toEqual([])
  expect((await send(done.outputUrl)).status).toBe(404)
  expect((await send(`/render/${done.requestId}`)).status).toBe(404)
})

test('closing lets a running render finish, refuses those that wait, and leaves no file', async () => {
  const { post, send, producer, url } = await startProducer({ maxConcurrentRenders: 1 })
  // Long enough to run until the other request has come.
  const running = await post('/render/stream', { html: page('navy', 900), quality: 'draft' })
  const events = eventsOf(running)
  await events.next()
  const waiting = post('/render', { html: page() })
  await expect.poll(async () => (await (await send('/render/queue')).json()).queuedRenders).toBe(1)
  const queueEvents = eventsOf(await post('/render/stream', { html: page() }))
  expect((await queueEvents.next()).value).toMatchObject({ type: 'queued', position: 1 })
  const closing = producer.close(600_000)
  const reply = await waiting
  expect([reply.status, (await reply.json()).error.code]).toEqual([503, 'VID_PRODUCER_STOPPING'])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  let last: unknown
  for await (const event of events) last = event
  expect(last).toMatchObject({ type: 'complete' })
  await closing
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

test('accepted requests outlive the process that accepted them, in their order', async () => {
  const cwd = await makeFolder({ 'intro/index.html': page() })
  const options = { cwd, stateDir: 'state', maxConcurrentRenders: 1 }
  const first = await startProducer(options)
  const detached = { prefer: 'respond-async' }
  const zip = await zipOf(join(cwd, 'intro'))
  await first.post('/render', { html: page('teal', 300), quality: 'draft' }, { ...detached, 'x-request-id': 'a' })
  await first.send('/render', { ...form({}, zip.bytes), headers: { ...detached, 'x-request-id': 'b' } })
  await first.post('/render', { projectDir: 'intro' }, { ...detached, 'x-request-id': 'c' })
  await expect(startProducer(options)).rejects.toMatchObject({ code: 'VID_PRODUCER_STATE_LOCKED' })
  const recordOf = async ({ send }: typeof first, id: string) => (await send(`/render/${id}`)).json()
  await expect.poll(async () => (await recordOf(first, 'a')).status, { timeout: 60_000 }).toBe('running')
  const { startedAt: firstStart } = await recordOf(first, 'a')
  await first.producer.close()
  const second = await startProducer(options)
  const ends = []
  for (const id of ['a', 'b', 'c']) {
    await allEvents(await second.send(`/render/${id}/stream`))
    ends.push(await recordOf(second, id))
  }
  expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  const started = ends.map(({ startedAt }) => startedAt)
  expect(started).toEqual([firstStart, ...started.slice(1).sort()])
  expect((await second.send(ends[1].result.outputUrl)).status).toBe(200)
  await second.producer.close()
  const third = await startProducer(options)
  expect((await third.send(ends[2].result.outputUrl)).status).toBe(200)
  expect((await recordOf(third, 'c')).startedAt).toBe(started[2])
})

test('the config is that of the folder of the server, never that of a project', async () => {
  const evil = 'globalThis.ran = true; throw new Error("ran")'
  const cwd = await makeFolder({ 'intro/index.html': page(), 'intro/vid.config.mjs': evil })
  const { post, send } = await startProducer({ cwd })
  expect((await post('/render', { projectDir: 'intro' })).status).toBe(200)
  const folder = await makeFolder({ 'index.html': page(), 'vid.config.mjs': evil })
  const { bytes } = await zipOf(folder)
  expect((await send('/render', form({}, bytes))).status).toBe(200)
})

test('a wrong option is refused with all that is wrong', async () => {
  await expect(startProducer({ maxConcurrentRenders: 11, maxQueued: -1 })).rejects.toMatchObject({
    code: 'VID_PRODUCER_OPTION',
    message: expect.stringMatching(/maxConcurrentRenders.*maxQueued/),
  })
  await expect(startProducer({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'VID_SERVER_TOKEN_MISSING' })
  const file = join(await makeFolder(), 'file')
  await writeFile(file, '')
  await expect(startProducer({ stateDir: file })).rejects.toMatchObject({
    code: 'VID_PRODUCER_STATE_UNUSABLE',
  })
  await mkdir(`${file}-dir`)
  expect(existsSync(join(`${file}-dir`, 'lock'))).toBe(false)
})
