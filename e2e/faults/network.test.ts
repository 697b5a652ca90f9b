import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { here, scratch, vidInProcess as vid, vid as vidAlone } from '../support/vid.ts'

const serve = async (answer: RequestListener) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A project of one short composition in a folder of its own, beside `node_modules` for its config. */
const project = async (body: string, config = '') => {
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><html><body style="margin:0"><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.2">${body}</div></body></html>`,
  )
  if (config) await writeFile(join(folder, 'vid.config.mjs'), config)
  return folder
}

/** Colour in the middle of the first frame. */
const middle = async (file: string): Promise<number[]> => {
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' }))
    return [...frame.subarray((18 * 64 + 32) * 3).subarray(0, 3)]
  return []
}
const render = async (folder: string, renderIn = vid) => {
  const output = join(folder, '..', 'out.mp4')
  const run = await renderIn(['render', folder, '-o', output])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return { ...run, colour: await middle(output) }
}
const near = (colour: number[], expected: number[]) =>
  expect(
    colour.every((value, channel) => Math.abs(value - (expected[channel] ?? 0)) <= 6),
    `${colour} for ${expected}`,
  ).toBe(true)

const fill = (url: string) => `<img src="${url}" style="width:64px;height:36px;display:block">`
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36"><rect width="64" height="36" fill="#00c000"/></svg>'

test('a remote image of an allowed host is in the picture, fetched once for all renders', async () => {
  let requests = 0
  const host = await serve((_request, response) => {
    requests += 1
    response.setHeader('content-type', 'image/svg+xml').end(svg)
  })
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ privateHosts: ['${host}'] }), render: { segmentFrames: 3, workers: 2 } }`
  const folder = await project(fill(`http://${host}/green.svg`), config)
  near((await render(folder)).colour, [0, 192, 0])
  // A process that has nothing in its memory.
  near((await render(folder, vidAlone)).colour, [0, 192, 0])
  expect(requests).toBe(1)
})

test('a remote file that cannot be fetched gives a warning with its address, within seconds', async () => {
  const folder = await project(`${fill('https://nobody.invalid/a.png')}${fill('http://192.0.2.1/b.png')}`)
  const from = performance.now()
  const { stderr } = await render(folder)
  expect(stderr).toContain('https://nobody.invalid/a.png')
  expect(stderr).toContain('http://192.0.2.1/b.png')
  expect(stderr).toContain('VID_REMOTE_FAILED')
  expect(performance.now() - from).toBeLessThan(60_000)
})

test('files of one host that cannot be fetched are named once and counted; --strict fails and names them', async () => {
  const host = await serve((_request, response) => response.writeHead(404).end())
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ privateHosts: ['${host}'] }), render: { segmentFrames: 3, workers: 2 } }`
  const tiles = Array.from({ length: 12 }, (_, index) => fill(`http://${host}/tile-${index}.png`))
  const folder = await project(tiles.join(''), config)
  const { stderr } = await render(folder)
  expect(stderr.match(/^warning VID_REMOTE_FAILED/gm)).toHaveLength(2)
  expect(stderr).toContain(`VID_REMOTE_FAILED: files of ${host} that could not be fetched: 11 more`)
  const strict = await vid(['render', folder, '-o', join(folder, '..', 'out.mp4'), '--strict'])
  expect(strict.code).toBe(1)
  expect(new Set(strict.stderr.match(/tile-\d+\.png could not be fetched/g)).size).toBe(10)
  expect(strict.stderr).toContain(`files of ${host} that could not be fetched: 2 more`)
})

test('a hostile page reads no file outside its project, no server on this machine, and no other render', async () => {
  let requests = 0
  const host = await serve((_request, response) => {
    requests += 1
    response.setHeader('access-control-allow-origin', '*').end('secret')
  })
  const port = host.split(':')[1]
  const folder = await project(`<script>
    const root = document.getElementById('root')
    root.style.cssText += ';height:36px;background:#00c000'
    const steal = (url, options) => fetch(url, options).then((r) => r.ok ? r.text() : '').then((text) => {
      if (text) { root.style.background = '#c00000'; console.error('READ ' + url) }
    }, () => {})
    const attempts = [
      'file:///etc/passwd', '/../../../../etc/passwd', '/%2e%2e/%2e%2e/%2e%2e/etc/passwd', '/..%2f..%2f..%2fetc%2fpasswd',
      '/outside.txt', '/.env', '/.git/config', 'http://${host}/', 'http://localhost:${port}/', 'http://[::ffff:127.0.0.1]:${port}/',
      'http://other.localhost:' + location.port + '/index.html', 'http://127.0.0.1:' + location.port + '/index.html',
      'http://169.254.169.254/latest/meta-data/', 'http://0.0.0.0:${port}/',
    ]
    __vid.waitUntil(Promise.all(attempts.flatMap((url) => [steal(url), steal(url, { method: 'POST', mode: 'no-cors' })])))
    const socket = new WebSocket('ws://${host}/')
    socket.onopen = () => { root.style.background = '#c00000' }
    navigator.sendBeacon('http://${host}/beacon')
    const frame = document.createElement('iframe')
    frame.src = 'http://${host}/'
    frame.style.display = 'none'
    root.append(frame)
  </script>`)
  await writeFile(join(folder, '..', 'secret.txt'), 'secret')
  await symlink('../secret.txt', join(folder, 'outside.txt'))
  await writeFile(join(folder, '.env'), 'KEY=secret')
  const { colour, stderr } = await render(folder)
  expect(stderr).not.toContain('READ ')
  near(colour, [0, 192, 0])
  expect(requests).toBe(0)
})

test('a library is served in the version that the project has installed, else in the bundled version, with a note', async () => {
  const script = `<div id="a" style="width:64px;height:36px"></div>
    <script src="https://cdn.jsdelivr.net/npm/gsap@3.5.0/dist/gsap.min.js"></script>
    <script>a.style.background = gsap.version === '3.5.0' ? '#00c000' : '#c00000'</script>`
  const folder = await project(script)
  await rm(join(folder, 'node_modules'))
  const ours = await render(folder)
  near(ours.colour, [192, 0, 0])
  expect(ours.stderr).not.toMatch(/^warning/m)
  const { stdout } = await vid(['inspect', folder])
  expect(stdout.match(/note .*The page requests gsap@3\.5\.0, but gets gsap 3\./g)).toHaveLength(1)

  await mkdir(join(folder, 'node_modules/gsap/dist'), { recursive: true })
  await writeFile(join(folder, 'node_modules/gsap/package.json'), '{ "version": "3.5.0" }')
  await writeFile(join(folder, 'node_modules/gsap/dist/gsap.min.js'), "window.gsap = { version: '3.5.0' }")
  const run = await render(folder)
  near(run.colour, [0, 192, 0])
  expect(run.stderr).not.toMatch(/^warning/m)
})
