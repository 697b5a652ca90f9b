import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFfmpeg, frameHashes, runProcess } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { type Fault, startS3 } from '../../packages/services/s3/src/fixtures/s3-server.ts'
import { writeTone } from '../support/sound.ts'
import { here, scratch, start, vid } from '../support/vid.ts'

/** A bar that crosses the picture in segments of half a second, with a tone. */
const composition = (seconds: number) => `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="${seconds}" data-no-timeline style="background:#123">
  <div id="bar" style="position:absolute;top:20px;width:40px;height:140px;background:#fc3"></div>
  <audio src="tone.wav" data-start="0" data-duration="2"></audio>
</div>
<script>
  document.getElementById('bar').animate([{ left: '0' }, { left: '280px' }], { duration: ${seconds * 1000}, fill: 'both' })
</script></body></html>`

const project = async (options: object, seconds: number): Promise<string> => {
  const folder = await scratch()
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'index.html'), composition(seconds))
  await writeTone(join(folder, 'tone.wav'), 440, 2)
  const render = { segmentFrames: 15, quality: 'draft', format: 'hls', poster: '50%' }
  const config = `import file from '@vid/deliver-file'
import s3 from '@vid/deliver-s3'
export default { render: ${JSON.stringify(render)}, deliveries: [file(), s3(${JSON.stringify(options)})] }`
  await writeFile(join(folder, 'vid.config.mjs'), config)
  return folder
}

type Objects = Awaited<ReturnType<typeof startS3>>['objects']

/** Writes the objects of the bucket into a folder, as a web server would show them. */
const download = async (objects: Objects): Promise<string> => {
  const folder = await scratch()
  for (const [key, { body }] of objects) {
    await mkdir(dirname(join(folder, key)), { recursive: true })
    await writeFile(join(folder, key), body)
  }
  return folder
}

const textOf = (objects: Objects, key: string) => String(objects.get(key)?.body ?? '')

/** The names in a playlist that the bucket lacks. */
const missingIn = (objects: Objects, key: string) => {
  const text = textOf(objects, key)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const uris = [...text.matchAll(/URI="([^"]+)"/g)].map(([, uri = '']) => uri)
  return [...lines, ...uris].filter((name) => !objects.has(`${dirname(key)}/${name}`))
}

/** Pictures of a folder as ffmpeg plays them. */
const played = async (folder: string) => {
  const { ffmpeg } = await findFfmpeg()
  const input = ['-v', 'error', '-i', `file:${join(folder, 'index.m3u8')}`, '-map', '0:v:0']
  const printed = await runProcess(ffmpeg, [...input, '-f', 'framemd5', 'pipe:1'], undefined)
  return printed.split('\n').flatMap((line) => (/^0,/.test(line) ? (line.split(',').at(-1)?.trim() ?? []) : []))
}

test.each([false, true])('an hls video in S3 plays as the folder here does (growing: %s)', async (growing) => {
  const server: Awaited<ReturnType<typeof startS3>> = await startS3((...call) => watch(...call))
  const { objects, options } = server
  const problems: string[] = []
  const lengths: number[] = []
  // Each playlist that arrives names only what is there already.
  const watch: Fault = ({ method, key }, reply) => {
    if (method !== 'PUT' || !key.endsWith('.m3u8')) return false
    reply.on('finish', () => {
      problems.push(...missingIn(objects, key).map((name) => `${key} names ${name}`))
      if (key.endsWith('180p.m3u8')) lengths.push(textOf(objects, key).split('#EXTINF').length - 1)
    })
    return false
  }
  const folder = await project({ ...options, growing }, 3)
  const run = await vid(['render', '-o', 'out/film'], { cwd: folder })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr).toContain('delivered to s3://videos/film/')
  expect(problems).toEqual([])
  expect(lengths.length, lengths.join()).toBeGreaterThan(growing ? 2 : 0)
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
  expect(lengths.at(-1)).toBe(6)
  const copy = join(await download(objects), 'film')
  const { stdout } = await vid(['render', '--format', 'mp4', '-o', 'film.mp4'], { cwd: folder })
  expect(stdout).toContain('film.mp4')
  const expected = await frameHashes(join(folder, 'film.mp4'))
  expect(expected).toHaveLength(90)
  expect(await played(copy)).toEqual(expected)
  expect(textOf(objects, 'film/180p.m3u8')).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
  expect(objects.get('film/poster.jpg')?.type).toBe('image/jpeg')
  expect(objects.get('film/index.m3u8')?.type).toBe('application/vnd.apple.mpegurl')
})

test('a render that is stopped ends its video in S3, which plays as far as it was rendered', async () => {
  let showSecond = () => {}
  const second = new Promise<void>((resolve) => {
    showSecond = resolve
  })
  const server: Awaited<ReturnType<typeof startS3>> = await startS3((...call) => watch(...call))
  const { objects, options } = server
  const watch: Fault = ({ method, key }, reply) => {
    if (method === 'PUT' && key.endsWith('180p.m3u8'))
      reply.on('finish', () => {
        if (textOf(objects, key).split('#EXTINF').length > 2) showSecond()
      })
    return false
  }
  const folder = await project({ ...options, growing: true }, 120)
  const { child, done } = start(['render', '-o', 'out/film', '-w', '1'], { cwd: folder })
  await Promise.race([second, done])
  child.kill('SIGINT')
  const { code, stderr } = await done
  expect(code, stderr).toBe(130)
  for (const name of ['180p.m3u8', '180p-keys.m3u8', 'audio.m3u8', 'index.m3u8'])
    expect(missingIn(objects, `film/${name}`), name).toEqual([])
  for (const name of ['180p.m3u8', '180p-keys.m3u8', 'audio.m3u8'])
    expect(textOf(objects, `film/${name}`)).toMatch(/#EXT-X-PLAYLIST-TYPE:EVENT[\s\S]*#EXT-X-ENDLIST\n$/)
  const segments = textOf(objects, 'film/180p.m3u8').split('#EXTINF').length - 1
  const frames = await played(join(await download(objects), 'film'))
  expect(frames).toHaveLength(segments * 15)
  expect(new Set(frames).size).toBeGreaterThan(10)
})
