import { createHash } from 'node:crypto'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames } from '@vid/ffmpeg'
import { describe, expect, test } from 'vitest'
import { firefox, why } from '../support/firefox.ts'
import { here, scratch, vid } from '../support/vid.ts'

/** A copy of a project whose config captures with these options. */
const projectWith = async (options: Record<string, unknown>): Promise<string> => {
  const folder = join(await scratch(), 'project')
  await cp(here('projects/postcard'), folder, { recursive: true })
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  const config = `import capture from '@vid/capture-playwright'
import { defineConfig } from '@vid/config'

export default defineConfig({
  capture: capture(${JSON.stringify(options)}),
  render: { segmentFrames: 20 },
})
`
  await writeFile(join(folder, 'vid.config.ts'), config)
  return folder
}

const flags = ['--crf', '4', '--json', '--variables', '{"greeting":"Greetings"}']

/** The frames of a render, as rgb24. */
const rendered = async (options: Record<string, unknown>, workers: number): Promise<Uint8Array[]> => {
  const folder = await projectWith(options)
  const output = join(folder, 'out.mp4')
  const run = await vid(['render', folder, '-o', output, '-w', String(workers), ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(run.stdout).toContain('"warnings":[]')
  const frames: Uint8Array[] = []
  for await (const frame of decodeFrames(output, { pixFmt: 'rgb24' })) frames.push(frame)
  return frames
}

const digestOf = (frame: Uint8Array): string => createHash('sha256').update(frame).digest('hex')

/** Peak signal-to-noise ratio of two pictures, dB. */
const psnr = (one: Uint8Array, other: Uint8Array): number => {
  let squares = 0
  for (const [index, value] of one.entries()) squares += (value - (other[index] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (squares / one.length))
}

describe.skipIf(!firefox)(`Firefox${why}`, () => {
  const options = { browser: 'firefox', ...(firefox && { executablePath: firefox }) }

  test('every frame looks as in Chromium, with any number of workers', async () => {
    const chromium = await rendered({ browser: 'chromium', lane: 'screenshot' }, 1)
    const alone = await rendered(options, 1)
    const divided = await rendered(options, 2)
    expect([chromium, alone, divided].map(({ length }) => length)).toEqual([60, 60, 60])
    expect(divided.map(digestOf)).toEqual(alone.map(digestOf))
    const likeness = (frame: number, other: number) =>
      psnr(alone[frame] ?? new Uint8Array(), chromium[other] ?? new Uint8Array())
    // Only the antialiasing of text and edges differs; neighbouring frames differ by more.
    for (const frame of alone.keys()) {
      expect(likeness(frame, frame), `frame ${frame}`).toBeGreaterThan(40)
      if (frame < 59) expect(likeness(frame, frame + 1), `frame ${frame} and the next`).toBeLessThan(38)
    }
  })

  test('a format with alpha is refused with what to do', async () => {
    const folder = await projectWith(options)
    const run = await vid(['render', folder, '-o', join(folder, 'out.webm')])
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_BROWSER_LACKS') })
    expect(run.stderr).toContain('browser "chromium"')
  })
})

test('an unknown or missing browser is an error with a hint', async () => {
  const unknown = await vid(['render', await projectWith({ browser: 'firefx' })])
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('browser must be one of "chromium", "firefox"; got "firefx"')
  const folder = await projectWith({ browser: 'firefox' })
  const other = await vid(['render', folder], { env: { VID_BROWSER_PATH: process.execPath } })
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a Firefox browser') })
})
