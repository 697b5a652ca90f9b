import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { probeMedia } from '@vid/ffmpeg'
import { expect, onTestFinished, test } from 'vitest'
import { makeCache } from '../support/caches.ts'
import { colourFrames } from '../support/colours.ts'
import { ffmpeg } from '../support/sound.ts'
import { here, scratch, vid } from '../support/vid.ts'

/** A server that must not be visited, except for the playlist that it serves itself. */
const startCanary = async () => {
  const visits: string[] = []
  const server = createServer(({ url = '' }, response) => {
    visits.push(url)
    response.end(url === '/list.m3u8' ? hls('/visited.ts') : '')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { visits, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const hls = (address: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${address}\n#EXT-X-ENDLIST\n`

const dash = (address: string) => `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
<Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="9000" width="64" height="36">
<BaseURL>${address}</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>`

/** A red picture and a tone, which a render of the project must not have. */
const writeSecret = async (folder: string, name: string) => {
  const picture = ['-f', 'lavfi', '-i', 'color=c=red:s=64x36:r=10:d=2']
  const file = join(folder, name)
  await ffmpeg([...picture, '-f', 'lavfi', '-i', 'sine=440:d=2', '-c:v', 'libx264', '-c:a', 'aac', file])
  return file
}

/** Names of the sources of a composition and what is in them. */
const writeSources = async (project: string, host: string) => {
  const outside = join(project, '..', 'outside')
  await mkdir(outside)
  const stream = await writeSecret(outside, 'secret.ts')
  const video = await writeSecret(outside, 'secret.mp4')
  // Names without a folder count as safe in such a list: a link leads out of the project.
  await symlink(stream, join(project, 'link.ts'))
  await ffmpeg(['-i', stream, '-frames:v', '1', join(outside, 'secret1.png')])
  await symlink(join(outside, 'secret1.png'), join(project, 'shot1.png'))
  const sources = {
    'list.m3u8': hls(`file://${stream}`),
    'list.mp4': hls(`file://${stream}`),
    'list.wav': hls(`file://${stream}`),
    'far.m3u8': hls(`http://${host}/far.ts`),
    'parts.mp4': 'ffconcat version 1.0\nfile link.ts\n',
    'parts.txt': `ffconcat version 1.0\nfile http://${host}/parts.ts\n`,
    'manifest.mpd': dash(`file://${video}`),
    'manifest.mp4': dash(`http://${host}/manifest.mp4`),
    'session.sdp': `v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio ${host.split(':')[1]} RTP/AVP 0\n`,
    'shot%d.png': 'no picture',
    'concat:link.ts': 'no video',
  }
  for (const [name, content] of Object.entries(sources)) await writeFile(join(project, name), content)
  return Object.keys(sources)
}

const write = async (project: string, names: readonly string[], host: string) => {
  const video = (src: string) => `<video src="${src}" data-start="0" data-duration="0.5"></video>`
  const tags = names.flatMap((name) => {
    const src = `./${encodeURIComponent(name)}`
    return [video(src), `<audio src="${src}" data-start="0" data-duration="0.5"></audio>`, `<img src="${src}">`]
  })
  const body = [...tags, video(`http://${host}/list.m3u8`)].join('\n')
  await writeFile(
    join(project, 'index.html'),
    `<!doctype html><html><head><style>#root { background: #102030 } video, img { position: absolute; left: 0; top: 0; width: 64px; height: 36px }</style></head>
    <body><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.5" data-no-timeline>${body}</div></body></html>`,
  )
  await symlink(here('../node_modules'), join(project, 'node_modules'))
  const config = `import puppeteer from '@vid/capture-puppeteer'
export default { capture: puppeteer({ privateHosts: ['${host}'] }) }`
  await writeFile(join(project, 'vid.config.mjs'), config)
}

test('a text that names other files is no media under any name: nothing outside the project is read, and no address visited', async () => {
  const project = join(await scratch(), 'project')
  await mkdir(project)
  const { host, visits } = await startCanary()
  const names = await writeSources(project, host)
  await write(project, names, host)
  const env = { VID_CACHE_DIR: await makeCache(join(project, '..', 'cache')) }
  const output = join(project, '..', 'out.mp4')
  const run = await vid(['render', project, '-o', output], { env })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const skipped = run.stderr.split('\n').filter((line) => line.includes('VID_MEDIA_UNUSABLE'))
  for (const name of [...names, `http://${host}/list.m3u8`])
    expect(
      skipped.some((line) => line.includes(`<video> at 0 s with src "${name}" is skipped`)),
      name,
    ).toBe(true)
  expect((await probeMedia(output)).audio).toEqual([])
  const frames = await colourFrames(output)
  expect(frames).toHaveLength(15)
  for (const frame of frames)
    for (let offset = 0; offset < frame.length; offset += 3)
      expect((frame[offset] ?? 0) - (frame[offset + 1] ?? 0), `red of pixel ${offset / 3}`).toBeLessThan(60)
  expect(visits).toEqual(['/list.m3u8'])
  const strict = await vid(['render', project, '-o', output, '--strict'], { env })
  expect(strict.code).toBe(1)
  expect(strict.stderr).toContain('VID_LINT_STRICT')
  expect(strict.stderr).toContain('lint/text-as-media')
})
