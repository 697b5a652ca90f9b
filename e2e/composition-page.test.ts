import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFfmpeg, frameHashes, probeMedia, runProcess } from '@vid/ffmpeg'
import { describe, expect, test } from 'vitest'
import { here, scratch, vid } from './support/vid.ts'

/** Frames that each example has, and at least how many of them differ from each other. */
const EXAMPLES: Readonly<Record<string, { frames: number; different: number; sound?: boolean }>> = {
  'The smallest one': { frames: 30, different: 15 },
  'When things are seen': { frames: 45, different: 4 },
  'What moves': { frames: 30, different: 29 },
  Variables: { frames: 15, different: 1 },
  'Video, sound and images': { frames: 30, different: 25, sound: true },
  'Nested files': { frames: 30, different: 12 },
}

const text = await readFile(here('../docs/composition.md'), 'utf8')
const sections = text.split(/^## /m).map((section) => ({
  title: section.split('\n', 1)[0] ?? '',
  files: [...section.matchAll(/^`([^`]+)`:\n\n```html\n(.*?)^```$/gms)].map(([, name = '', html = '']) => ({
    name,
    html,
  })),
}))
const examples = sections.filter(({ files }) => files.length > 0)

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#e63946"/></svg>'

const makeAssets = async (folder: string) => {
  const { ffmpeg } = await findFfmpeg({})
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/logo.svg'), logo)
  const make = (...args: string[]) => runProcess(ffmpeg, ['-v', 'error', '-f', 'lavfi', ...args], undefined)
  await make(
    '-i',
    'testsrc=size=320x180:rate=30:duration=2',
    '-pix_fmt',
    'yuv420p',
    join(folder, 'assets/film.mp4'),
  )
  await make('-i', 'sine=frequency=440:duration=1', join(folder, 'assets/music.wav'))
}

describe('the page about compositions', () => {
  test('has the examples that are tested, and whole pages only', () => {
    expect(examples.map(({ title }) => title)).toEqual(Object.keys(EXAMPLES))
    expect(text.match(/^```html$/gm)).toHaveLength(examples.flatMap(({ files }) => files).length)
  })

  test.each(examples)(
    '$title: lint finds nothing, and it renders without a warning',
    async ({ title, files }) => {
      const wanted = EXAMPLES[title]
      const folder = join(await scratch(), 'example')
      for (const { name, html } of files) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), html)
      }
      await makeAssets(folder)
      expect(await vid(['lint', folder])).toMatchObject({ code: 0, stdout: '' })
      const output = join(folder, 'out.mp4')
      const run = await vid(['render', folder, '-o', output, '--crf', '0', '--strict'])
      expect(run, run.stderr).toMatchObject({ code: 0 })
      expect(run.stderr).not.toMatch(/^(?:warning|lint)/m)
      const hashes = await frameHashes(output)
      expect(hashes).toHaveLength(wanted?.frames ?? 0)
      expect(new Set(hashes).size).toBeGreaterThanOrEqual(wanted?.different ?? 0)
      expect((await probeMedia(output)).audio.length > 0).toBe(wanted?.sound === true)
    },
  )

  test('links to what is there', async () => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)\)/g))
      await expect(stat(here(`../docs/${target}`)), target).resolves.toBeDefined()
  })
})
