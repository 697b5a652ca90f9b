import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { prepareState } from '../support/cloud-state.ts'
import { colourFrames } from '../support/colours.ts'
import { here, printed, scratch, start, vidInProcess } from '../support/vid.ts'

/** Red, and blue where it is laid out upright. */
const page = `<!doctype html><style>
  #root { background: #c02020 }
  #root[data-shape="9:16"] { background: #2020c0 }
</style>
<div id="root" data-composition-id="root" data-width="1920" data-height="1080" data-duration="0.2"
 data-shapes="16:9,9:16" data-no-timeline></div>`

/** A hosted API with its own database, and a folder of a client with an account of it. */
const startHosted = async () => {
  const cwd = await scratch()
  await symlink(here('../node_modules'), join(cwd, 'node_modules'))
  await mkdir(join(cwd, 'duo'))
  await writeFile(join(cwd, 'duo/index.html'), page)
  await prepareState(cwd)
  const server = start(['cloud', 'serve', '--port', '0', '--state', 'state', '--json'], { cwd })
  const [line] = await printed(server, /^.*"cloud-start".*\n/m)
  const { url } = JSON.parse(line) as { url: string }
  await vidInProcess(['cloud', 'accounts', 'create', '--email', 'mia@example.com', '--state', 'state'], { cwd })
  const keys = await vidInProcess(['cloud', 'keys', 'create', 'mia@example.com', '--state', 'state'], { cwd })
  const env = { HOME: cwd, HOST_API_URL: url, HOST_API_KEY: keys.stdout.trim() }
  return { cwd, run: (...words: string[]) => vidInProcess(words, { cwd, env }) }
}

/** The colour in the middle of the last picture of a file. */
const middleOf = async (file: string, width: number, height: number) => {
  const frame = (await colourFrames(file)).at(-1) ?? new Uint8Array()
  const offset = 3 * ((height / 2) * width + width / 2)
  return [...frame.subarray(offset, offset + 3)]
}

const near = (colour: readonly number[]) =>
  colour.map((value) => expect.toSatisfy((shown: number) => Math.abs(shown - value) <= 6, `about ${value}`))

test('a hosted API makes the codec, the poster and the shapes that are named, or refuses them', async () => {
  const { cwd, run } = await startHosted()
  const refusals = [
    [['--codec', 'hevc', '--format', 'webm'], 'codec'],
    [['--poster', '9s'], 'poster'],
    [['--shapes', '1:1'], '1:1'],
  ] as const
  for (const [flags, text] of refusals) {
    const { code, stdout, stderr } = await run('cloud', 'render', 'duo', '--poll-interval', '0.1', ...flags)
    expect([code, stdout, stderr]).toEqual([expect.toBeOneOf([1, 2]), '', expect.stringContaining(text)])
  }
  const flags = ['-q', 'draft', '--fps', '10', '--codec', 'hevc', '--poster', '50%', '--shapes', '16:9,9:16']
  const render = await run('cloud', 'render', 'duo', ...flags, '-o', 'out/{shape}.mp4', '--poll-interval', '0.1')
  expect(render.code, render.stderr).toBe(0)
  expect(render.stdout).toBe('out/16x9.mp4\nout/9x16.mp4\n')
  for (const [name, width, height, colour] of [
    ['16x9', 1920, 1080, [0xc0, 0x20, 0x20]],
    ['9x16', 1080, 1920, [0x20, 0x20, 0xc0]],
  ] as const) {
    const file = join(cwd, 'out', `${name}.mp4`)
    const [video] = (await probeMedia(file, { countFrames: true })).video
    expect(video, name).toMatchObject({ codec: 'hevc', codecTag: 'hvc1', width, height, frames: 2 })
    expect(await middleOf(file, width, height), name).toEqual(near(colour))
    const poster = join(cwd, 'out', `${name}.poster.jpg`)
    expect((await probeMedia(poster)).video, name).toMatchObject([{ codec: 'mjpeg', width, height }])
    expect(await middleOf(poster, width, height), name).toEqual(near(colour))
  }
})
