import { readdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { verifySignature } from '@vid/deliver-webhook'
import { decodeFrames, probeMedia } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'

/** Halves in per cent, and a corner in pixels. */
const page = `<!doctype html><style>body { margin: 0 } i { position: absolute }
#left { inset: 0 50% 0 0; background: #d03020 } #right { inset: 0 0 0 50%; background: #3050d0 }
#corner { left: 0; top: 0; width: 40px; height: 40px; background: #ffffff }</style>
<div data-composition-id="halves" data-width="320" data-height="180" data-duration="0.1" data-no-timeline>
<i id="left" class="clip" data-start="0" data-duration="0.1" data-track-index="0"></i><i id="right"></i><i id="corner"></i></div>`

const project = async (config?: string) => {
  const folder = await scratch()
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'index.html'), page)
  if (config !== undefined) await writeFile(join(folder, 'vid.config.mjs'), config)
  return folder
}
const firstFrame = async (file: string) => {
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) return frame
  throw new Error('no frame')
}
const near = (colour: Uint8Array, expected: readonly number[]) =>
  colour.every((value, channel) => Math.abs(value - (expected[channel] ?? 0)) <= 16)

test.each([
  ['social-square', 1080, 1080],
  ['social-story', 1080, 1920],
])('--preset %s lays the composition out at %i x %i', async (preset, width, height) => {
  const folder = await project()
  const { code, stderr } = await vid(['render', '--preset', preset, '-q', 'draft', '-o', 'out.mp4'], {
    cwd: folder,
  })
  expect(code, stderr).toBe(0)
  expect(stderr).toContain(`laid out at ${width} x ${height}`)
  const file = join(folder, 'out.mp4')
  expect((await probeMedia(file)).video[0]).toMatchObject({ width, height })
  const frame = await firstFrame(file)
  const pixel = (x: number, y: number) => frame.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)
  expect(near(pixel(20, 20), [255, 255, 255])).toBe(true)
  for (const y of [80, height - 10]) {
    expect(near(pixel(width / 2 - 20, y), [208, 48, 32]), `left at ${y}`).toBe(true)
    expect(near(pixel(width / 2 + 20, y), [48, 80, 208]), `right at ${y}`).toBe(true)
  }
})

test('inspect lists the presets and where each comes from', async () => {
  const folder = await project(`export default { presets: [{ name: 'mine', render: { fps: 24 } }] }`)
  const { stdout } = await vid(['inspect', '--json', '--no-plan', '--preset', 'mine'], { cwd: folder })
  const { config } = JSON.parse(stdout)
  expect(config).toMatchObject({
    preset: { value: 'mine', source: 'flag --preset' },
    'presets.mine': { value: { plugins: [], render: { fps: 24 } }, source: 'config' },
    'presets.social-story': {
      value: { plugins: ['@vid/preset-social'], render: { loudness: -14 } },
      source: 'default',
    },
    'presets.alpha': { value: { plugins: [], render: { format: 'webm' } }, source: 'default' },
    'render.fps': { value: 24, source: 'preset mine' },
    capture: { source: 'preset standard' },
  })
})

test('after a failed delivery the video is kept, and the error has its path', async () => {
  const folder = await project(`import { defineDelivery } from '@vid/kernel'
const lost = defineDelivery({ name: '@acme/lost', deliver: () => Promise.reject(new Error('no network')) })
export default { deliveries: [lost()] }`)
  const { code, stdout, stderr } = await vid(['render', '-o', 'out.mp4', '--json'], { cwd: folder })
  expect(code).toBe(1)
  const file = join(folder, 'out.mp4')
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    code: 'VID_PLUGIN_FAILED',
    message: expect.stringContaining(`no network; the finished result is kept at ${file}`),
    plugin: '@acme/lost',
    hook: 'deliver',
  })
  expect(stderr).toContain(file)
  expect((await probeMedia(file)).video[0]).toMatchObject({ width: 320, height: 180 })
  expect((await readdir(folder)).sort()).toEqual(['index.html', 'node_modules', 'out.mp4', 'vid.config.mjs'])
})

test('a webhook is called once the file exists, and its secret is never shown', async () => {
  const secret = 'a-secret-of-some-length'
  const received: { body: string; timestamp: string; signature: string }[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const header = (name: string) => String(request.headers[name])
    received.push({ body, timestamp: header('x-vid-timestamp'), signature: header('x-vid-signature') })
    reply.writeHead(received.length === 1 ? 503 : 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=${secret}`
  const folder = await project(`import file from '@vid/deliver-file'
import webhook from '@vid/deliver-webhook'
export default { deliveries: [file(), webhook({ url: '${url}', secret: '${secret}', backOffMs: 1 })] }`)
  const rendered = await vid(['render', '-o', 'out.mp4'], { cwd: folder })
  expect(rendered.code, rendered.stderr).toBe(0)
  expect(rendered.stderr).toContain('VID_WEBHOOK_RETRIED')
  const message = received[1] ?? { body: '', timestamp: '', signature: '' }
  expect(verifySignature({ ...message, secret })).toBe(true)
  expect(JSON.parse(message.body)).toMatchObject({
    type: 'render-complete',
    location: `file://${folder}/out.mp4`,
    frames: 3,
  })
  const inspected = await vid(['inspect', '--no-plan'], { cwd: folder })
  expect(JSON.stringify([rendered, inspected])).not.toContain(secret)
})
