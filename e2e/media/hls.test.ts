import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg, frameHashes, runProcess } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { writeTone } from '../support/sound.ts'
import { scratch, vid } from '../support/vid.ts'

/** A bar that crosses the picture in four segments, with a tone. */
const COMPOSITION = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="4" data-no-timeline style="background:#123">
  <div id="bar" style="position:absolute;top:20px;width:40px;height:140px;background:#fc3"></div>
  <audio src="tone.wav" data-start="0" data-duration="4"></audio>
</div>
<script>
  document.getElementById('bar').animate([{ left: '0' }, { left: '280px' }], { duration: 4000, fill: 'both' })
</script></body></html>`

const CONFIG = JSON.stringify({ render: { segmentFrames: 30, quality: 'draft' } })

const project = async (): Promise<string> => {
  const folder = join(await scratch(), 'bar')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), COMPOSITION)
  await writeFile(join(folder, 'vid.config.json'), CONFIG)
  await writeTone(join(folder, 'tone.wav'), 440, 4)
  return folder
}

const filesOf = async (folder: string) => {
  const names = (await readdir(folder)).sort()
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'base64')] as const))
}

test('an HLS folder has the frames and the sound of the mp4 of the same plan, and its bytes do not depend on the workers', async () => {
  const folder = await project()
  const render = async (output: string, ...flags: string[]) => {
    const path = join(folder, '..', output)
    const run = await vid(['render', folder, '-o', path, ...flags], { cwd: folder })
    expect(run.code, run.stderr).toBe(0)
    return path
  }
  const single = await render('single', '--format', 'hls', '-w', '1')
  const several = await render('several', '--format', 'hls', '-w', '3')
  const mp4 = await render('bar.mp4', '--format', 'mp4')
  expect(await filesOf(several)).toEqual(await filesOf(single))
  const { ffmpeg } = await findFfmpeg()
  const input = ['-v', 'error', '-i', `file:${join(single, 'index.m3u8')}`]
  const printed = await runProcess(ffmpeg, [...input, '-map', '0:v:0', '-f', 'framemd5', 'pipe:1'], undefined)
  const played = printed.split('\n').flatMap((line) => (/^0,/.test(line) ? (line.split(',').at(-1)?.trim() ?? []) : []))
  const expected = await frameHashes(mp4)
  expect(expected).toHaveLength(120)
  expect(new Set(expected).size).toBeGreaterThan(100)
  expect(played).toEqual(expected)
  const soundOf = (path: string) => {
    // Without the packet before the start, and without the end of the last one, which only the mp4 knows.
    const output = ['-map', '0:a:0', '-af', 'atrim=start=0:end=3.9', '-c:a', 'pcm_s16le', '-f', 'md5', 'pipe:1']
    return runProcess(ffmpeg, ['-v', 'error', '-copyts', '-i', `file:${path}`, ...output], undefined)
  }
  expect(await soundOf(join(single, 'index.m3u8'))).toBe(await soundOf(mp4))
  // The finished folder replaces an earlier one.
  expect(await render('single', '--format', 'hls')).toBe(single)
})

test('a format that cannot be played before its end is refused with --serve before anything is rendered', async () => {
  const folder = await project()
  const run = await vid(['render', folder, '--format', 'mp4', '--serve', '-o', join(folder, '../a.mp4')])
  expect(run.stderr).toContain('error VID_PUBLISH_FORMAT: mp4 cannot be played while it is rendered.')
  expect(run.code).toBe(2)
})
