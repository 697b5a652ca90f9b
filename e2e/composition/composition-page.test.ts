import { join } from 'node:path'
import { frameHashes, probeMedia } from '@vid/ffmpeg'
import { describe, expect, test } from 'vitest'
import { brokenLinks, filesIn, readPage, writeExample } from '../support/page-examples.ts'
import { vidInProcess as vid } from '../support/vid.ts'

/** Frames that each example has, and at least how many of them differ from each other. */
const EXAMPLES: Readonly<Record<string, { frames: number; different: number; sound?: boolean }>> = {
  'A minimal composition': { frames: 30, different: 15 },
  'Several shapes': { frames: 30, different: 25 },
  'When elements are visible': { frames: 45, different: 4 },
  Chapters: { frames: 90, different: 2 },
  Animation: { frames: 30, different: 29 },
  Variables: { frames: 15, different: 1 },
  'Video, sound and images': { frames: 30, different: 25, sound: true },
  'Nested files': { frames: 30, different: 12 },
}

const text = await readPage('composition.md')
const sections = text.split(/^## /m).map((section) => ({
  title: section.split('\n', 1)[0] ?? '',
  files: filesIn(section),
}))
const examples = sections.filter(({ files }) => files.length > 0)

describe('the page about compositions', () => {
  test('has the examples that are tested, and whole pages only', () => {
    expect(examples.map(({ title }) => title)).toEqual(Object.keys(EXAMPLES))
    expect(text.match(/^```html$/gm)).toHaveLength(examples.flatMap(({ files }) => files).length)
  })

  test.each(examples)('$title: lint finds nothing, and it renders without a warning', async ({ title, files }) => {
    const expected = EXAMPLES[title]
    const folder = await writeExample(files)
    expect(await vid(['lint', folder])).toMatchObject({ code: 0, stdout: '' })
    const output = join(folder, 'out.mp4')
    const run = await vid(['render', folder, '-o', output, '--crf', '0', '--strict'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).not.toMatch(/^(?:warning|lint)/m)
    const hashes = await frameHashes(output)
    expect(hashes).toHaveLength(expected?.frames ?? 0)
    expect(new Set(hashes).size).toBeGreaterThanOrEqual(expected?.different ?? 0)
    expect((await probeMedia(output)).audio.length > 0).toBe(expected?.sound === true)
  })

  test('links to what is there', async () => {
    expect(await brokenLinks(text)).toEqual([])
  })
})
