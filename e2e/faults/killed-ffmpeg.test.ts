import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { makeCache } from '../support/caches.ts'
import { ffmpeg as run } from '../support/sound.ts'
import { scratch, vid } from '../support/vid.ts'

let programs: Awaited<ReturnType<typeof findFfmpeg>>
let cache: string
let clips = 0
beforeAll(async () => {
  programs = await findFfmpeg()
  cache = await makeCache(await mkdtemp(join(tmpdir(), 'vid-e2e-')))
})
afterAll(() => rm(cache, { recursive: true, force: true }))

/** A program that runs another one, and is killed instead when its arguments have a word. */
const killedAt = async (program: string, word: string) => {
  const file = join(await scratch(), 'program')
  const script = `#!/bin/sh\ncase " $* " in *" ${word} "*) kill -9 $$;; esac\nexec '${program}' "$@"\n`
  await writeFile(file, script, { mode: 0o755 })
  return file
}

test.each(
  partOf(
    [
      ['probes a source', 'VID_FFPROBE_PATH', '-show_streams', []],
      ['reads the times of its frames', 'VID_FFPROBE_PATH', 'packet=pts,dts,flags', []],
      ['copies its packets', 'VID_FFMPEG_PATH', 'h264_mp4toannexb', []],
      ['extracts its frames', 'VID_FFMPEG_PATH', 'image2', ['--video-frame-format', 'png']],
      ['decodes its sound', 'VID_FFMPEG_PATH', 'f32le', []],
    ] as const,
    3,
  ),
)('the render fails when the system kills what %s: the source is whole', async (...row) => {
  const [, setting, word, args] = row
  const project = await scratch()
  // Each is another source, of which nothing is in the cache.
  clips += 1
  const clip = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=1', '-f', 'lavfi', '-i', `sine=${440 + clips}:d=1`]
  await run([...clip, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', join(project, 'clip.mp4')])
  await writeFile(
    join(project, 'index.html'),
    `<!doctype html><html><body><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.5" data-no-timeline>
    <video src="clip.mp4" data-start="0" data-duration="0.5"></video></div></body></html>`,
  )
  const program = setting === 'VID_FFPROBE_PATH' ? programs.ffprobe : programs.ffmpeg
  const env = {
    VID_FFMPEG_PATH: programs.ffmpeg,
    VID_FFPROBE_PATH: programs.ffprobe,
    VID_CACHE_DIR: cache,
    VID_SANDBOX: 'off',
    [setting]: await killedAt(program, word),
  }
  const output = join(project, 'out.mp4')
  const ended = await vid(['render', project, '-o', output, ...args], { env })
  expect(ended, ended.stderr).toMatchObject({ code: 1 })
  expect(ended.stderr).toMatch(/error VID_FFMPEG_FAILED: .* was killed by SIGKILL/)
  expect(ended.stderr).not.toMatch(/VID_MEDIA_|VID_SOUND_/)
  expect(existsSync(output)).toBe(false)
})

test('a render of hls fails when the system kills what makes its storyboard, and puts nothing at its path', async () => {
  const project = await scratch()
  await writeFile(
    join(project, 'index.html'),
    `<!doctype html><html><body><div data-composition-id="x" data-width="64" data-height="36" data-duration="0.5" data-no-timeline></div></body></html>`,
  )
  const env = {
    VID_FFMPEG_PATH: await killedAt(programs.ffmpeg, 'mjpeg'),
    VID_FFPROBE_PATH: programs.ffprobe,
    VID_CACHE_DIR: cache,
    VID_SANDBOX: 'off',
  }
  const output = join(project, 'out')
  const ended = await vid(['render', project, '--format', 'hls', '-o', output], { env })
  expect(ended, ended.stderr).toMatchObject({ code: 1 })
  expect(ended.stderr).toMatch(/error VID_FFMPEG_FAILED: .* was killed by SIGKILL/)
  expect(ended.stderr).toContain('hook join')
  expect(await readdir(project)).toEqual(['index.html'])
})
