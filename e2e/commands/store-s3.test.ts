import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cutBody, silence, slowBody, status } from '../../packages/services/s3/src/fixtures/faults.ts'
import { type Fault, openS3, startS3 } from '../../packages/services/s3/src/fixtures/s3-server.ts'
import { here, scratch, start, vid, vidInProcess } from '../support/vid.ts'

// 36 frames in 12 segments: each scene of a second is two.
const SEGMENTS = 12
const all = (why: string | null) => Array.from({ length: SEGMENTS }, () => why)

type Server = Awaited<ReturnType<typeof openS3>>
type Options = Server['options'] & { readonly timeoutMs?: number }

/** A machine of its own: a copy of the project elsewhere, and no folder that another one uses but the browser's. */
const machine = async (options: Options) => {
  const home = await scratch()
  const dir = join(home, 'film')
  await cp(here('projects/six-scenes'), dir, { recursive: true })
  for (const name of ['.vid', 'vid.config.json']) await rm(join(dir, name), { recursive: true, force: true })
  await mkdir(join(home, 'tmp'))
  await symlink(here('../node_modules'), join(home, 'node_modules'))
  const config = `import s3 from '@vid/store-s3'
export default { store: s3(${JSON.stringify(options)}), render: { fps: 6, quality: 'draft', segmentFrames: 3 } }`
  await writeFile(join(dir, 'vid.config.mjs'), config)
  return { home, dir, output: join(home, 'film.mp4'), env: { VID_CACHE: 'on', TMPDIR: join(home, 'tmp') } }
}
type Machine = Awaited<ReturnType<typeof machine>>

const digestOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

const render = async ({ home, dir, output, env }: Machine, ...flags: string[]) => {
  vi.stubEnv('TMPDIR', env.TMPDIR)
  const rendering = vidInProcess(['render', dir, '-o', output, '--json', ...flags], { env })
  const { code, stdout, stderr } = await rendering.finally(() => vi.unstubAllEnvs())
  expect(code, stderr).toBe(0)
  return resultOf({ home, output }, stdout)
}

/** What a render reports and leaves. */
const resultOf = async ({ home, output }: Pick<Machine, 'home' | 'output'>, stdout: string) => {
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const reused = all(null)
  for (const { type, index, reused: why = null } of events) if (type === 'segment-complete') reused[index] = why
  const { warnings } = events.at(-1)
  const codes: string[] = warnings.map(({ code }: { code: string }) => code)
  const left = (await readdir(join(home, 'tmp'))).filter((name) => name.startsWith('vid-'))
  return { digest: await digestOf(output), reused, codes, warnings, left }
}

const edit = async ({ dir }: Machine, from: string, to: string) => {
  const file = join(dir, 'index.html')
  await writeFile(file, (await readFile(file, 'utf8')).replace(from, to))
}

/** What the first machine keeps, and the digest of its video; each test goes on from a copy. */
let server: Server
let whole: { readonly digest: string; readonly objects: Server['objects'] } | undefined
beforeAll(async () => {
  server = await openS3()
})
afterAll(() => server.close())

const first = async () => {
  if (!whole) {
    const one = await machine(server.options)
    const { code, stdout, stderr } = await vid(['render', one.dir, '-o', one.output, '--json'], { env: one.env })
    expect(code, stderr).toBe(0)
    // The client's library warns of versions of Node, which is nothing to those who render.
    expect(stderr).not.toContain('SDK for JavaScript')
    const { digest, reused, codes } = await resultOf(one, stdout)
    expect({ reused, codes }).toEqual({ reused: all(null), codes: [] })
    whole = { digest, objects: new Map(server.objects) }
  }
  return whole
}

/** A server that holds what the first machine has kept. */
const filled = async (fault?: Fault) => {
  const { objects, digest } = await first()
  const { objects: copy, ...rest } = await startS3(fault)
  for (const [key, stored] of objects) copy.set(key, stored)
  return { ...rest, objects: copy, digest }
}

test('two machines share segments, and an edited word renders only its own', async () => {
  const { options, digest, objects } = await filled()
  const one = await machine(options)
  const other = await machine(options)
  expect(await render(other)).toMatchObject({ digest, reused: all('the same inputs'), codes: [], left: [] })
  await edit(other, 'Delta', 'Dollar')
  const edited = await render(other)
  expect(edited.reused.flatMap((why, index) => (why === null ? [index] : []))).toEqual([6, 7])
  expect(edited.digest).not.toBe(digest)
  await edit(one, 'Delta', 'Dollar')
  expect(await render(one)).toMatchObject({ digest: edited.digest, reused: all('the same inputs') })
  expect((await render(one, '--no-cache')).digest).toBe(edited.digest)
  expect([...objects.keys()].every((key) => /^segments\/(contents|segments|workers)\//.test(key))).toBe(true)
  // Nothing is kept beside the bucket.
  await expect(readdir(join(one.dir, '.vid'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await vidInProcess(['clean', one.dir], { env: one.env })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^freed \d+(\.\d)? [kM]B\n$/),
  })
  expect(objects.size).toBe(0)
})

const isGet: (how: Fault) => Fault = (how) => (seen, reply, request) =>
  seen.method === 'GET' && seen.key !== '' && how(seen, reply, request)

test.each<[string, Fault, Partial<Options>]>([
  ['has only errors', status(503, 'SlowDown'), {}],
  ['denies', status(403, 'AccessDenied'), {}],
  ['never answers', silence, { timeoutMs: 1500 }],
  ['is very slow', isGet(slowBody(50)), { timeoutMs: 1500 }],
])('with a server that %s, the video is the same, and one warning says why', async (_, fault, more) => {
  const { options, digest } = await filled(fault)
  const result = await render(await machine({ ...options, ...more }))
  expect(result).toMatchObject({ digest, reused: all(null), codes: ['VID_CACHE_UNUSABLE'], left: [] })
  expect(result.warnings[0].message).toContain('s3://videos/segments/')
})

test('connections that are cut and errors that pass cost time only', async () => {
  let requests = 0
  const cut = isGet(cutBody(1500))
  const { options, digest } = await filled((seen, reply, request) => {
    requests += 1
    if (requests % 9 === 0) return status(500, 'InternalError')(seen, reply, request)
    return cut(seen, reply, request)
  })
  const result = await render(await machine(options))
  expect(result).toMatchObject({ digest, reused: all('the same inputs'), codes: [] })
})

test('kept objects that are damaged, truncated, foreign or gone are rendered again, and kept anew', async () => {
  const { options, digest, objects } = await filled()
  const faults: readonly ((body: Buffer) => Buffer | undefined)[] = [
    (body) => Buffer.from(body.map((byte, index) => (index === body.length >> 1 ? byte ^ 1 : byte))),
    (body) => body.subarray(0, body.length - 1),
    () => Buffer.from('something else'),
    () => undefined,
  ]
  for (const folder of ['contents', 'segments']) {
    const keys = [...objects.keys()].filter((key) => key.startsWith(`segments/${folder}/`)).sort()
    for (const [index, harm] of faults.entries()) {
      const key = keys[index] ?? ''
      const stored = objects.get(key)
      if (!stored) throw new Error(`no object in ${folder}`)
      const body = harm(stored.body)
      if (body) objects.set(key, { ...stored, body })
      else objects.delete(key)
    }
  }
  const one = await machine(options)
  const again = await render(one)
  expect(again).toMatchObject({ digest, codes: [] })
  const anew = again.reused.filter((why) => why === null)
  expect(anew.length).toBeGreaterThan(0)
  expect(anew.length).toBeLessThan(SEGMENTS)
  expect(await render(one)).toMatchObject({ digest, reused: all('the same inputs') })
})

test('a server that goes away in the middle of a render costs one warning', async () => {
  const { digest } = await first()
  let puts = 0
  const { options } = await startS3((seen, _reply, request) => {
    if (seen.method === 'PUT') puts += 1
    if (puts > 6) request.socket.destroy()
    return puts > 6
  })
  expect(await render(await machine(options))).toMatchObject({
    digest,
    reused: all(null),
    codes: ['VID_CACHE_UNUSABLE'],
    left: [],
  })
})

test('a render that is stopped while it waits for the store ends at once and leaves nothing', async () => {
  let onRequest = () => {}
  const isAsked = new Promise<void>((resolve) => {
    onRequest = resolve
  })
  const { options } = await startS3(() => {
    onRequest()
    return true
  })
  const { home, dir, output, env } = await machine(options)
  const run = start(['render', dir, '-o', output], { env })
  // A render that fails before it asks for anything is reported, not waited for.
  await Promise.race([isAsked, run.done])
  run.child.kill('SIGINT')
  const { code, stderr } = await run.done
  expect(code, stderr).toBe(130)
  expect(stderr).not.toContain('VID_PLUGIN_STALLED')
  expect((await readdir(join(home, 'tmp'))).filter((name) => name.startsWith('vid-'))).toEqual([])
  await expect(readFile(output)).rejects.toMatchObject({ code: 'ENOENT' })
})
