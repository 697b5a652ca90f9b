import { join } from 'node:path'
import { frameHashes, probeMedia } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { brokenLinks, filesIn, readPage, writeExample } from '../support/page-examples.ts'
import { vidInProcess as vid } from '../support/vid.ts'

/** What the example of each page renders to: its format, its frames, how many differ, and whether it sounds. */
const PAGES: Readonly<Record<string, { format?: string; frames: number; different: number; sound?: boolean } | null>> =
  {
    'README.md': null,
    'start.md': null,
    'presets-and-targets.md': null,
    'from-hyperframes.md': null,
    'variables-and-batch.md': { frames: 30, different: 20 },
    'batch-programs.md': null,
    'alpha.md': { format: 'webm', frames: 45, different: 15 },
    'sound.md': { frames: 60, different: 2, sound: true },
    'footage.md': { frames: 60, different: 50 },
    'from-remotion.md': { frames: 30, different: 14 },
  }

test.each(Object.keys(PAGES))('%s links to what is there, and has at most 150 lines', async (name) => {
  const text = await readPage(name)
  expect(await brokenLinks(text)).toEqual([])
  expect(text.split('\n').length).toBeLessThanOrEqual(150)
})

test.each(partOf(Object.entries(PAGES), 4))(
  '%s: its example has no findings, and renders without a warning',
  async (name, expected) => {
    const files = filesIn(await readPage(name))
    expect(files).toHaveLength(expected === null ? 0 : 1)
    if (expected === null) return
    const folder = await writeExample(files)
    const format = expected.format ?? 'mp4'
    expect(await vid(['lint', folder, '--format', format])).toMatchObject({ code: 0, stdout: '' })
    const output = join(folder, `out.${format}`)
    const run = await vid(['render', folder, '-o', output, '--strict'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).not.toMatch(/^(?:warning|lint)/m)
    const hashes = await frameHashes(output)
    expect(hashes).toHaveLength(expected.frames)
    expect(new Set(hashes).size).toBeGreaterThanOrEqual(expected.different)
    expect((await probeMedia(output)).audio.length > 0).toBe(expected.sound === true)
  },
)
