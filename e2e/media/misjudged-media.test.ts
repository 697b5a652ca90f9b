import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'
import { beforeEach, expect, test } from 'vitest'
import { ffmpeg } from '../support/sound.ts'
import { scratch, vid } from '../support/vid.ts'

let project: string
beforeEach(async () => {
  project = await scratch()
})

const page = (element: string) =>
  writeFile(
    join(project, 'index.html'),
    `<!doctype html><html><body><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.5" data-no-timeline>${element}</div></body></html>`,
  )

const makeClip = (name: string, ...args: readonly string[]) =>
  ffmpeg(['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=1', '-pix_fmt', 'yuv420p', ...args, join(project, name)])

/** ffmpeg behind a script, in whose text `$FFMPEG` is the real one. */
const scripted = async (script: string) => {
  const file = join(project, 'program')
  await writeFile(file, `#!/bin/sh\nFFMPEG='${(await findFfmpeg()).ffmpeg}'\n${script}\nexec "$FFMPEG" "$@"\n`, {
    mode: 0o755,
  })
  return { VID_FFMPEG_PATH: file, VID_SANDBOX: 'off' }
}

const render = (env: Readonly<Record<string, string>>, ...words: readonly string[]) =>
  vid(['render', project, '-o', join(project, 'out.mp4'), '--strict', ...words], { env })

test('what a library prints is no damage of a sound', async () => {
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=440:d=1', join(project, 'tone.wav')])
  await page('<audio src="tone.wav" data-start="0"></audio>')
  const { code, stderr } = await render(await scripted('echo "Warning: using insecure memory!" >&2'))
  expect(stderr).not.toMatch(/VID_SOUND_DAMAGED|insecure/)
  expect(code).toBe(0)
})

test('a video of which nothing can be extracted is named as its author wrote it, and nothing else is reported', async () => {
  await mkdir(join(project, 'clips'))
  await makeClip('clips/a clip.mp4', '-c:v', 'libx264')
  await page('<video src="clips/a clip.mp4" data-start="0" muted></video>')
  const failing =
    'case " $* " in *" image2 "*) echo "[error] Error while filtering: Invalid argument" >&2; exit 1;; esac'
  const { code, stderr } = await render(await scripted(failing), '--video-frame-format', 'png')
  expect(stderr).toMatch(/error VID_MEDIA_NO_FRAME: No frame could be extracted from clips\/a clip\.mp4 at 0 s/)
  expect(stderr).not.toMatch(/warning|\.vid\/media/)
  expect(code).toBe(1)
})

test('a video that declares more time stamps than there may be is a fault of the composition', async () => {
  await makeClip('a.mp4', '-c:v', 'libx264')
  const bytes = await readFile(join(project, 'a.mp4'))
  bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('stts') + 8)
  await writeFile(join(project, 'a.mp4'), bytes)
  await page('<video src="a.mp4" data-start="0" muted></video>')
  const { code, stderr, stdout } = await render({}, '--json')
  expect(`${stdout}${stderr}`).toMatch(/VID_MEDIA_STRICT.*"fault":"render"/)
  expect(`${stdout}${stderr}`).not.toMatch(/VID_PAGE_RETRIED/)
  expect(code).toBe(1)
})
