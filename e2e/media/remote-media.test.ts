import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { decodeFrames } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { amplitude, between, ffmpeg, readSound, writeTone } from '../support/sound.ts'
import { here, scratch, vidInProcess as vid, vid as vidAlone } from '../support/vid.ts'

const execute = promisify(execFile)

const COLOURS = { 'red.mp4': [208, 48, 32], 'green.mp4': [32, 160, 64], 'blue.mp4': [48, 80, 208] } as const

/** Serves a video of each colour and a tone; counts the requests. */
const serveSources = async () => {
  const folder = await scratch()
  for (const [name, colour] of Object.entries(COLOURS)) {
    const picture = `color=c=0x${Buffer.from(colour).toString('hex')}:s=64x36:r=30:d=1`
    const tags = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'
    const codec = ['-c:v', 'libx264', '-colorspace', 'bt709', '-color_range', 'tv', '-crf', '4']
    await ffmpeg(['-f', 'lavfi', '-i', picture, '-vf', tags, ...codec, join(folder, name)])
  }
  await writeTone(join(folder, 'tone.wav'), 500, 1)
  const counts: Record<string, number> = {}
  const server = createServer(async ({ url = '' }, response) => {
    const name = basename(url)
    counts[name] = (counts[name] ?? 0) + 1
    const body = await readFile(join(folder, name)).catch(() => undefined)
    response.writeHead(body ? 200 : 404).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, counts }
}

const project = async (host: string, body: string, allowed = [host]) => {
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  const root = `<div id="root" data-composition-id="x" data-width="192" data-height="36" data-duration="1" data-no-timeline>${body}</div>`
  const style = '<style>video { position: absolute; top: 0 }</style>'
  await writeFile(join(folder, 'index.html'), `<!doctype html><html><body>${style}${root}</body></html>`)
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ privateHosts: ${JSON.stringify(allowed)} }), render: { segmentFrames: 15, workers: 2 } }`
  await writeFile(join(folder, 'vid.config.mjs'), config)
  return folder
}

const colours = async (file: string): Promise<number[][]> => {
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' }))
    return [32, 96, 160].map((x) => [...frame.subarray((18 * 192 + x) * 3, (18 * 192 + x) * 3 + 3)])
  return []
}

test('remote sources are seen and heard, fetched once for all renders', async () => {
  const { host, counts } = await serveSources()
  const from = `http://${host}`
  const folder = await project(
    host,
    `<video data-start="0" muted src="${from}/red.mp4"></video>
    <video data-start="0" muted style="left:64px"><source src="${from}/green.mp4"></video>
    <video data-start="0" muted style="left:128px" id="late"></video>
    <audio data-start="0" src="${from}/tone.wav"></audio>
    <script>document.getElementById('late').src = '${from}/blue.mp4'</script>`,
  )
  const output = join(folder, '..', 'out.mp4')
  // The second is a process that has nothing in its memory.
  for (const renderIn of [vid, vidAlone]) {
    const run = await renderIn(['render', folder, '-o', output, '--strict'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    const shown = await colours(output)
    for (const [index, colour] of Object.values(COLOURS).entries())
      for (const [channel, value] of colour.entries())
        expect(Math.abs((shown[index]?.[channel] ?? 0) - value), `${shown[index]} for ${colour}`).toBeLessThanOrEqual(6)
    const [left] = await readSound(output)
    expect(amplitude(between(left, 0.1, 0.9), 500)).toBeCloseTo(0.5, 1.5)
  }
  expect(counts).toEqual({ 'red.mp4': 1, 'green.mp4': 1, 'blue.mp4': 1, 'tone.wav': 1 })
})

test('an unreachable remote source is reported at once, and the others play', async () => {
  const { host } = await serveSources()
  const gone = `http://${host}/gone.mp4`
  const body = `<video data-start="0" muted src="http://${host}/red.mp4"></video>
    <video data-start="0" muted src="${gone}"></video><audio data-start="0" src="https://nobody.invalid/a.mp3"></audio>`
  const folder = await project(host, body)
  const output = join(folder, '..', 'out.mp4')
  const since = performance.now()
  const run = await vid(['render', folder, '-o', output])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(performance.now() - since).toBeLessThan(60_000)
  expect(run.stderr).toContain(`${gone} could not be fetched: the server answered 404`)
  expect(run.stderr).toMatch(/VID_MEDIA_UNUSABLE.*nobody\.invalid\/a\.mp3/)
  expect((await colours(output))[0]?.[0]).toBeGreaterThan(180)
  const strict = await vid(['render', folder, '-o', output, '--strict'])
  expect(strict.code).toBe(1)
  expect(strict.stderr).toContain(gone)
})

test('a source at a private address is not fetched unless its host is allowed', async () => {
  const { host, counts } = await serveSources()
  const folder = await project(host, `<video data-start="0" muted src="http://${host}/red.mp4"></video>`, [])
  const run = await vid(['render', folder, '-o', join(folder, '..', 'out.mp4'), '--strict'])
  expect(run.code).toBe(1)
  expect(run.stderr).toMatch(/VID_(?:MEDIA_STRICT|REMOTE_FAILED).*red\.mp4/)
  expect(counts).toEqual({})
})

longTest('a video that another process joins has the sound of an address, fetched there anew', async () => {
  const { host, counts } = await serveSources()
  const folder = await project(host, `<audio data-start="0" src="http://${host}/tone.wav"></audio>`)
  const plan = join(folder, '../plan.json')
  const joined = join(folder, '../joined.mp4')
  const step = (...args: string[]) => execute(process.execPath, [here('support/portable.mjs'), ...args])
  await step('plan', folder, plan)
  const { segments } = JSON.parse(await readFile(plan, 'utf8')) as { segments: unknown[] }
  const files = segments.map((_, index) => join(folder, `../part-${index}`))
  for (const [index, file] of files.entries()) await step('segment', folder, plan, `${index}`, file)
  const before = counts['tone.wav'] ?? 0
  // A machine that has fetched nothing yet.
  const env = { ...process.env, VID_CACHE_DIR: join(folder, '../fresh-cache') }
  await execute(process.execPath, [here('support/portable.mjs'), 'join', folder, plan, joined, ...files], {
    env,
  })
  const [left] = await readSound(joined)
  expect(amplitude(between(left, 0.1, 0.9), 500)).toBeCloseTo(0.5, 1.5)
  expect(counts['tone.wav']).toBe(before + 1)
})
