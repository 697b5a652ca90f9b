import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readPageFacts } from '../fixtures/page-facts.ts'
import { flagRules, type LaunchSettings, launchFlags } from '../index.ts'

const machine = { sandbox: true, roomySharedMemory: true }
const shell: LaunchSettings = {
  frameControl: true,
  kind: 'headless-shell',
  width: 640,
  height: 360,
  proxy: 'http://proxy.localhost:1',
}

test('each flag is listed once with its reason', () => {
  const names = launchFlags(shell, { sandbox: false, roomySharedMemory: false }).map((flag) => flag.split('=')[0])
  expect(new Set(names).size).toBe(names.length)
  for (const { reason } of flagRules) expect(reason).toMatch(/\w+/)
})

test.each<[string, Partial<LaunchSettings>, Partial<typeof machine>, string, boolean]>([
  ['frame control of a headless shell', {}, {}, '--enable-begin-frame-control', true],
  ['no frame control', { frameControl: false }, {}, '--enable-begin-frame-control', false],
  ['a full Chrome, which has none', { kind: 'chrome' }, {}, '--enable-begin-frame-control', false],
  ['frame control, whose damage reports it would spoil', {}, {}, '--disable-frame-rate-limit', false],
  ['frames at their own pace', { frameControl: false }, {}, '--disable-frame-rate-limit', true],
  ['a full Chrome', { kind: 'chrome' }, {}, '--headless=new', true],
  ['a full Chrome with a window', { kind: 'chrome', headed: true }, {}, '--headless=new', false],
  ['a headless shell', {}, {}, '--headless=new', false],
  ['software drawing', {}, {}, '--disable-gpu-compositing', true],
  ['a GPU', { gpu: 'vulkan' }, {}, '--disable-gpu-compositing', false],
  ['a GPU', { gpu: 'vulkan' }, {}, '--use-angle=vulkan', true],
  ['a GPU', { gpu: 'vulkan' }, {}, '--exit_on_context_lost', true],
  ['software drawing', {}, {}, '--exit_on_context_lost', false],
  ['a GPU', { gpu: 'vulkan' }, {}, '--enable-unsafe-swiftshader', false],
  ['a GPU', { gpu: 'vulkan' }, {}, '--use-angle=swiftshader', false],
  ['pictures that are alike everywhere', {}, {}, '--disable-skia-runtime-opts', true],
  ['the same by name', { raster: 'portable' }, {}, '--disable-skia-runtime-opts', true],
  ['pictures of this processor', { raster: 'native' }, {}, '--disable-skia-runtime-opts', false],
  ['a page size', {}, {}, '--window-size=640,360', true],
  ['a machine with a sandbox', {}, {}, '--no-sandbox', false],
  ['a machine without', {}, { sandbox: false }, '--no-sandbox', true],
  ['a roomy /dev/shm', {}, {}, '--disable-dev-shm-usage', false],
  ['a small /dev/shm', {}, { roomySharedMemory: false }, '--disable-dev-shm-usage', true],
])('%s (%o %o): %s is %s', (_case, settings, facts, flag, isPresent) => {
  expect(launchFlags({ ...shell, ...settings }, { ...machine, ...facts }).includes(flag)).toBe(isPresent)
})

test('with these flags a page draws WebGL in software, in a secure context', async () => {
  const facts = await readPageFacts(`
    const gl = document.createElement('canvas').getContext('webgl2')
    gl.clearColor(1, 0, 0, 1)
    gl.clear(gl.COLOR_BUFFER_BIT)
    const pixel = new Uint8Array(4)
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
    const info = gl.getExtension('WEBGL_debug_renderer_info')
    return {
      pixel: [...pixel],
      renderer: gl.getParameter(info.UNMASKED_RENDERER_WEBGL),
      secure: isSecureContext,
      storage: typeof navigator.storage.getDirectory,
      language: navigator.language,
    }`)
  expect(facts).toMatchObject({
    pixel: [255, 0, 0, 255],
    secure: true,
    storage: 'function',
    language: 'en-US',
  })
  expect(facts).toHaveProperty('renderer', expect.stringContaining('SwiftShader'))
})

test('language, number format and time zone are not those of the machine', async () => {
  const german = { ...process.env, LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8', TZ: 'Asia/Tokyo' }
  const facts = await readPageFacts(
    'return [navigator.language, (1234.5).toLocaleString(), new Date(0).getHours()]',
    german,
  )
  expect(facts).toEqual(['en-US', '1,234.5', 0])
})

test('with these flags a page reaches no other server, by name or by address', async () => {
  const flagsSeen: string[] = []
  const other = createServer((request, response) => {
    flagsSeen.push(request.headers.host ?? '')
    response.setHeader('access-control-allow-origin', '*').end('reached')
  })
  await new Promise<void>((done) => {
    other.listen(0, '127.0.0.1', done)
  })
  const { port } = other.address() as AddressInfo
  const reach = (host: string) =>
    `(() => { const x = new XMLHttpRequest(); try { x.open('GET', 'http://${host}:${port}/', false); x.send(); return x.responseText } catch (e) { return e.name } })()`
  const facts = await readPageFacts(
    `return [${['127.0.0.1', '[::1]', 'localhost', 'example.com', 'render.localhost'].map(reach).join(',')}]`,
  )
  other.close()
  // The proxy answers each of them without content.
  expect(facts).toEqual(Array(5).fill('NetworkError'))
  expect(flagsSeen).toEqual([])
})
