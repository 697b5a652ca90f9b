import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readManifest, unpackProject } from '@vid/project'
import { expect, onTestFinished, test } from 'vitest'
import { type Answer, hangUp, inTurn, json, refuse, startScripted } from './fixtures/scripted.ts'

const file = randomBytes(300_000)
const digest = createHash('sha256').update(file).digest('hex')
const output = { outputUrl: '/outputs/token', fileSize: file.length, digest }

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const startOf = (range: string | undefined) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)

/** Sends what is asked for, at most so many bytes of it, and breaks off then. */
const sendUpTo =
  (bytes: number, ranges: (string | undefined)[] = [], content: Buffer = file): Answer =>
  (request, response) => {
    const { range } = request.headers
    ranges.push(range)
    const start = startOf(range)
    const rest = content.subarray(start)
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': rest.length,
      ...(range !== undefined && {
        'content-range': `bytes ${start}-${content.length - 1}/${content.length}`,
      }),
    })
    if (bytes >= rest.length) response.end(rest)
    else response.write(rest.subarray(0, bytes), () => request.socket.end())
  }

const download = async (answer: Answer, overrides: Partial<typeof output> = {}, limits = {}) => {
  const folder = await makeFolder()
  const { client } = await startScripted({ 'GET /outputs': answer }, { limits })
  const path = join(folder, 'video.mp4')
  const thrown = await client.download({ ...output, ...overrides }, path).catch((error: unknown) => error)
  const names = await readdir(folder)
  return { code: (thrown as { code?: string } | undefined)?.code, names, path }
}

test('a file arrives whole, through cuts, by asking for the rest of it', async () => {
  const ranges: (string | undefined)[] = []
  const { code, names, path } = await download(
    inTurn(sendUpTo(100_000, ranges), hangUp, sendUpTo(150_000, ranges), sendUpTo(Number.POSITIVE_INFINITY, ranges)),
  )
  expect([code, names]).toEqual([undefined, ['video.mp4']])
  expect((await readFile(path)).equals(file)).toBe(true)
  expect(ranges.map(startOf)).toEqual([0, 100_000, 250_000])
})

test('a server that sends the whole file again is taken at its word', async () => {
  const whole: Answer = (_request, response) => void response.end(file)
  const { code, path } = await download(inTurn(sendUpTo(100_000), whole))
  expect(code).toBeUndefined()
  expect((await readFile(path)).equals(file)).toBe(true)
})

test('the rest of another file is asked for by its digest only', async () => {
  const conditions: unknown[] = []
  const note: Answer = (request, response) => {
    conditions.push(request.headers['if-range'])
    sendUpTo(Number.POSITIVE_INFINITY)(request, response)
  }
  await download(inTurn(sendUpTo(10), note))
  expect(conditions).toEqual([`"${digest}"`])
})

const longer = Buffer.concat([file, Buffer.from('more')])
const other: Answer = (_request, response) => void response.end(randomBytes(file.length))
const shifted: Answer = (_request, response) => {
  response.writeHead(206, { 'content-range': `bytes 5-${file.length - 1}/${file.length}` })
  response.end(file.subarray(5))
}
const cases: readonly (readonly [string, Answer, string, object?, object?])[] = [
  ['of another digest', other, 'VID_PRODUCER_DAMAGED'],
  ['longer than the server said', sendUpTo(longer.length, [], longer), 'VID_PRODUCER_REPLY'],
  ['that goes on elsewhere than asked', inTurn(sendUpTo(100), shifted), 'VID_PRODUCER_REPLY'],
  ['that always breaks off at the same byte', sendUpTo(0), 'VID_PRODUCER_CUT', {}, { awayMs: 700 }],
  ['that has expired', refuse(404, 'VID_PRODUCER_OUTPUT_UNKNOWN'), 'VID_PRODUCER_OUTPUT_UNKNOWN'],
  ['at another host', other, 'VID_PRODUCER_REPLY', { outputUrl: '//elsewhere.example/outputs/token' }],
  ['at an address of another scheme', other, 'VID_PRODUCER_REPLY', { outputUrl: 'https://elsewhere.example/' }],
  ['outside the outputs', other, 'VID_PRODUCER_REPLY', { outputUrl: '/outputs/../projects/x' }],
  ['that is not on the server', other, 'VID_PRODUCER_OUTPUT_ELSEWHERE', { outputUrl: null }],
]
test.each(cases.map(([name, answer, code, ...more]) => ({ name, answer, code, more })))(
  'a file $name is refused, and nothing is left of it',
  async ({ answer, code, more }) => {
    expect(await download(answer, ...more)).toMatchObject({ code, names: [] })
  },
)

test('a place that cannot be written is a fault of the machine', async () => {
  const { client } = await startScripted({ 'GET /outputs': sendUpTo(Number.POSITIVE_INFINITY) })
  const thrown = await client.download(output, '/proc/nothing/video.mp4').catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'VID_PRODUCER_UNWRITABLE', fault: 'machine' })
})

const makeProject = async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'index.html'), '<p>')
  return folder
}

test('a project is sent as a zip of its files, through a cut, and the zip is removed', async () => {
  const folder = await makeProject()
  const workDir = await makeFolder()
  const manifest = await readManifest(folder)
  const chunks: Buffer[] = []
  const take: Answer = (request, response) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () =>
      json({ success: true, requestId: 'r', project: manifest.digest, files: 1, bytes: 3 })(request, response),
    )
  }
  const { client, requestLines } = await startScripted({
    'HEAD /projects': (_request, response) => void response.writeHead(404).end(),
    'PUT /projects': inTurn(hangUp, take),
  })
  expect(await client.sendProject({ folder, workDir })).toBe(manifest.digest)
  expect(requestLines.map((line) => line.split(' ')[0])).toEqual(['HEAD', 'PUT', 'HEAD', 'PUT'])
  expect(await readdir(workDir)).toEqual([])
  const zip = join(workDir, 'sent.zip')
  await writeFile(zip, Buffer.concat(chunks))
  expect((await unpackProject(zip, join(workDir, 'sent'))).digest).toBe(manifest.digest)
})

test('a project that the server has is not sent', async () => {
  const { client, requestLines } = await startScripted({
    'HEAD /projects': (_request, response) => void response.end(),
  })
  await client.sendProject({ folder: await makeProject() })
  expect(requestLines).toHaveLength(1)
})

test('a wrong token is named when a project is looked for', async () => {
  const { client } = await startScripted({
    'HEAD /projects': (_request, response) => void response.writeHead(401).end(),
    'GET /render/queue': refuse(401, 'VID_HTTP_UNAUTHORIZED'),
  })
  await expect(client.hasProject('0'.repeat(64))).rejects.toMatchObject({ code: 'VID_HTTP_UNAUTHORIZED' })
})
