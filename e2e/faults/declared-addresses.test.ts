import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { here, scratch, vidInProcess as vid } from '../support/vid.ts'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="36"><rect width="32" height="36" fill="#00c000"/></svg>'

/** A host that answers everything, and the paths of its requests. */
const openHost = async () => {
  const paths = new Set<string>()
  const server = createServer((request, response) => {
    const { url = '' } = request
    paths.add(url)
    response.setHeader('access-control-allow-origin', '*')
    if (url.startsWith('/green.svg')) return response.setHeader('content-type', 'image/svg+xml').end(svg)
    if (!url.endsWith('.css')) return response.end('content')
    response.setHeader('content-type', 'text/css')
    return response.end(url === '/a.css' ? '@import "b.css";' : '#right { background: #0000c0 }')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { paths, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A page of two halves, a remote image and a colour of a remote style sheet, that sends what it knows. */
const leakyPage = (
  host: string,
) => `<!doctype html><html><head><link rel="stylesheet" href="http://${host}/a.css"></head>
<body style="margin:0"><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.2" style="display:flex">
<img src="http://${host}/green.svg?v=1&amp;w=2" style="width:32px;height:36px"><div id="right" style="width:32px;height:36px"></div></div>
<script>
  const secret = 'hush'
  const send = (url) => fetch(url).then(() => {}, () => {})
  const sound = Object.assign(new Audio(), { src: 'http://${host}/sound.wav?' + secret, id: 'leak' })
  sound.dataset.start = 0
  root.append(sound)
  __vid.waitUntil(Promise.all([
    send(\`http://${host}/log?\${secret}\`), send('http://${host}/green.svg?v=1&w=2&x=' + secret), send('http://${host}/' + secret),
  ]))
</script></body></html>`

const render = async (network: string | undefined) => {
  const { paths, host } = await openHost()
  const folder = join(await scratch(), 'project')
  await mkdir(folder)
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'index.html'), leakyPage(host))
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ privateHosts: ['${host}'] }) }`
  await writeFile(join(folder, 'vid.config.mjs'), config)
  const output = join(folder, '..', 'out.mp4')
  const flags = network === undefined ? [] : ['--network', network]
  const run = await vid(['render', folder, '-o', output, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const colours: string[] = []
  for await (const frame of decodeFrames(output, { pixFmt: 'rgb24' })) {
    for (const x of [16, 48])
      colours.push([...frame.subarray((18 * 64 + x) * 3).subarray(0, 3)].map((value) => Math.round(value / 64)).join())
    break
  }
  return { ...run, host, colours, paths: [...paths].sort() }
}

test('with network "declared" a page gets whole addresses of its own text, and those that they name, and sends nothing', async () => {
  const { paths, colours, stderr, host } = await render('declared')
  expect(paths).toEqual(['/a.css', '/b.css', '/green.svg?v=1&w=2'])
  expect(colours).toEqual(['0,3,0', '0,0,3'])
  for (const path of ['log', 'green.svg', 'hush', 'sound.wav'])
    expect(stderr).toContain(`http://${host}/${path} was not fetched, since network is "declared"`)
  expect(stderr).not.toMatch(/VID_NETWORK_REFUSED.*\?/)
})

test('with network "none" nothing is fetched', async () => {
  const { paths, stderr, host } = await render('none')
  expect(paths).toEqual([])
  expect(stderr).toContain(`http://${host}/a.css was not fetched, since network is "none"`)
})

test('without the setting every public address is fetched, also one that carries something', async () => {
  const { paths, colours, stderr } = await render(undefined)
  expect(paths).toEqual(expect.arrayContaining(['/b.css', '/green.svg?v=1&w=2', '/log?hush']))
  expect(colours).toEqual(['0,3,0', '0,0,3'])
  expect(stderr).not.toContain('VID_NETWORK_REFUSED')
})
