import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { chaptersOf } from '../support/chapters.ts'
import { rendersOfFile } from '../support/renders.ts'
import { writeTone } from '../support/sound.ts'
import { textTracks } from '../support/text-tracks.ts'
import { scratch, vidInProcess as vid } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

/** Three scenes and an embedded one; with chapters, or without a single one of them. */
const filesOf = (chapter: (title: string) => string) => ({
  'index.html': `<!doctype html><html><head><style>#root { background: #004000 } p { animation: in 1s both }
  @keyframes in { from { opacity: 0 } }</style></head><body>
  <div id="root" data-composition-id="main" data-width="160" data-height="90" data-duration="4">
    <p id="one" data-start="0.5" data-duration="1" ${chapter('Opening')}>One</p>
    <p id="two" data-start="one" data-duration="1" ${chapter('Fast &amp; "small"; = # \\ 東京')}>Two</p>
    <div data-composition-src="part.html" data-start="2" data-duration="2"></div>
    <p data-start="0.5" ${chapter('Never')} data-hidden>Hidden</p>
    <p data-start="9" ${chapter('Too late')}>Late</p>
    <audio src="tone.wav" data-start="0" data-duration="4"></audio>
    <track kind="captions" src="talk.vtt" srclang="en" data-start="0">
  </div></body></html>`,
  'part.html': `<!doctype html><html><body>
  <div data-composition-id="part" data-width="160" data-height="90">
    <p data-start="0.75" data-duration="1" ${chapter('Inside')}>Part</p>
  </div></body></html>`,
  // Four segments, which are joined; the chapters begin at whole frames.
  'vid.config.json': '{ "render": { "fps": 4, "segmentFrames": 4 } }',
  'talk.vtt': 'WEBVTT\n\n00:00.500 --> 00:03.000\nHello\n',
})

const withChapters = filesOf((title) => `data-chapter="${title.replaceAll('"', '&quot;')}"`)

const makeProject = async (files: Readonly<Record<string, string>>) => {
  const project = await projectOf(files)
  await writeTone(join(project, 'tone.wav'), 440, 4)
  return project
}

const renderFile = rendersOfFile()

const render = async (projectDir: string, output: string, settings: RenderSettings = {}) => {
  await renderFile({ projectDir, output, force: true, ...settings })
  return readFile(output)
}

const WHOLE = [
  [0, 1.5, 'Opening'],
  [1.5, 2.75, 'Fast & "small"; = # \\ 東京'],
  [2.75, 4, 'Inside'],
]

test.each(['mov', 'webm'])('clips begin chapters of %s', async (format) => {
  const output = join(await scratch(), `out.${format}`)
  await render(await makeProject(withChapters), output)
  expect(await chaptersOf(output)).toEqual(WHOLE)
})

test('clips begin chapters of mp4, which change no frame, and one or three workers give the same bytes', async () => {
  const folder = await scratch()
  const project = await makeProject(withChapters)
  const output = join(folder, 'one.mp4')
  const bytes = await render(project, output, { workers: 1 })
  expect(await chaptersOf(output)).toEqual(WHOLE)
  expect((await render(project, join(folder, 'three.mp4'), { workers: 3 })).equals(bytes)).toBe(true)
  const plain = join(folder, 'plain.mp4')
  await render(await makeProject(filesOf(() => '')), plain, { workers: 1 })
  expect(await chaptersOf(plain)).toEqual([])
  expect(await frameHashes(plain)).toEqual(await frameHashes(output))
})

test('a part has its chapters, in its time, also beside text tracks', async () => {
  const output = join(await scratch(), 'part.mp4')
  await render(await makeProject(withChapters), output, { from: '1s', to: '3s', captions: 'burn,track' })
  expect(await chaptersOf(output)).toEqual([
    [0, 0.5, 'Opening'],
    [0.5, 1.75, WHOLE[1]?.[2]],
    [1.75, 2, 'Inside'],
  ])
  expect(await textTracks(output)).toHaveLength(1)
})

test('a changed title is in the video of the next render, which has a cache', async () => {
  const folder = await scratch()
  const project = await makeProject(withChapters)
  const output = join(folder, 'out.mp4')
  const render = () => vid(['render', project, '-o', output, '--json'], { env: { VID_CACHE: 'on' } })
  expect(await render()).toMatchObject({ code: 0 })
  const page = await readFile(join(project, 'index.html'), 'utf8')
  await writeFile(join(project, 'index.html'), page.replace('"Opening"', '"Beginning"'))
  const again = await render()
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('"reused"') })
  expect((await chaptersOf(output))[0]).toEqual([0, 1.5, 'Beginning'])
})

test('a title that mp4 has no room for is cut, which lint says', async () => {
  const project = await makeProject(
    filesOf((title) => `data-chapter="${title === 'Opening' ? 'Ä'.repeat(140_000) : ''}"`),
  )
  const output = join(await scratch(), 'long.mp4')
  await render(project, output)
  expect(await chaptersOf(output)).toEqual([[0, 4, 'Ä'.repeat(200)]])
  const { stdout } = await vid(['lint', project])
  expect(stdout).toContain('The title of this chapter has 140000 characters, of which the video has the first 200.')
})

longTest('a format without chapters is rendered as if there were none', async () => {
  const folder = await scratch()
  const gif = await render(await makeProject(withChapters), join(folder, 'with.gif'))
  expect((await render(await makeProject(filesOf(() => '')), join(folder, 'without.gif'))).equals(gif)).toBe(true)
})
