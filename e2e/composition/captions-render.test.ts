import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { rendersOfFile } from '../support/renders.ts'
import { readTextTrack, textTracks } from '../support/text-tracks.ts'
import { scratch, vidInProcess as vid } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const ENGLISH = `WEBVTT

00:00.000 --> 00:01.000
<v Ana>So <00:00.300>we<00:00.600> <00:00.800>go

00:01.500 --> 00:02.500
R&D
`

const GERMAN = 'WEBVTT\n\n00:00.500 --> 00:02.500\nLos geht es\n'

const CAPTIONS = '<vid-captions style="--captions-background: #ff0000"></vid-captions>'

const pageOf = (captions: string) => `<!doctype html><html><head>
  <script src="https://cdn.jsdelivr.net/npm/@vid/captions"></script>
  <style>#root { background: #004000 }</style></head><body>
  <div id="root" data-composition-id="main" data-width="160" data-height="90" data-duration="3">
    <track kind="captions" src="words/talk.vtt" srclang="en" label="English" data-start="0.5">
    <section class="clip" data-start="1" data-duration="1.5">
      <track kind="subtitles" src="words/reden.vtt" srclang="de" label="Deutsch">
    </section>
    ${captions}
  </div></body></html>`

const FILES = {
  'index.html': pageOf(CAPTIONS),
  'words/talk.vtt': ENGLISH,
  'words/reden.vtt': GERMAN,
  'vid.config.json': '{ "render": { "fps": 10, "segmentFrames": 5 } }',
}

const PART = { from: '1s', to: '2.5s' }

const renderFile = rendersOfFile()

const render = (projectDir: string, output: string, settings: RenderSettings = {}) =>
  renderFile({ projectDir, output, ...settings })

/** The frames of a composition of the same size that draws no captions. */
const plainFrames = async (format: string) => {
  const output = join(await scratch(), `plain.${format}`)
  await render(await projectOf({ ...FILES, 'index.html': pageOf('') }), output, PART)
  return frameHashes(output)
}

test.each(
  partOf(
    [
      ['mp4', 'mov_text'],
      ['mov', 'mov_text'],
      ['webm', 'webvtt'],
    ],
    2,
  ),
)('--captions track puts the captions of a part into %s, and draws none', async (format, codec) => {
  const project = await projectOf(FILES)
  const folder = await scratch()
  const output = join(folder, `out.${format}`)
  await render(project, output, { captions: 'track', workers: 1, ...PART })
  expect(await textTracks(output)).toEqual([
    [codec, 'eng', 'English'],
    [codec, 'deu', 'Deutsch'],
  ])
  expect(await readTextTrack(output, 0)).toBe(
    '1\n00:00:00,000 --> 00:00:00,500\nSo we go\n\n2\n00:00:01,000 --> 00:00:01,500\nR&D',
  )
  expect(await readTextTrack(output, 1)).toBe('1\n00:00:00,500 --> 00:00:01,500\nLos geht es')
  expect(await frameHashes(output)).toEqual(await plainFrames(format))
  expect(await readdir(folder)).toEqual([`out.${format}`])
  const again = join(folder, `again.${format}`)
  await render(project, again, { captions: 'track', workers: 3, ...PART })
  expect((await readFile(again)).equals(await readFile(output))).toBe(true)
})

test('--captions sidecar writes a file of each kind and language beside the video, and replaces them the next time', async () => {
  const project = await projectOf(FILES)
  const folder = await scratch()
  const output = join(folder, 'film.mp4')
  const { results } = await render(project, output, { captions: 'sidecar', ...PART })
  const names = ['film.de.srt', 'film.de.vtt', 'film.en.srt', 'film.en.vtt', 'film.mp4']
  expect((await readdir(folder)).sort()).toEqual(names)
  expect(results[0]?.outputs?.map(({ outputPath }) => outputPath).sort()).toEqual(
    names.slice(0, 4).map((name) => join(folder, name)),
  )
  expect(await readFile(join(folder, 'film.en.vtt'), 'utf8')).toBe(
    'WEBVTT\nLanguage: en\n\n00:00:00.000 --> 00:00:00.500\n<v Ana>So <00:00:00.000>we<00:00:00.100> <00:00:00.300>go\n\n00:00:01.000 --> 00:00:01.500\nR&amp;D\n',
  )
  expect(await readFile(join(folder, 'film.de.srt'), 'utf8')).toBe('1\n00:00:00,500 --> 00:00:01,500\nLos geht es\n')
  expect(await textTracks(output)).toEqual([])
  expect(await frameHashes(output)).toEqual(await plainFrames('mp4'))
  await writeFile(join(project, 'words/reden.vtt'), GERMAN.replace('geht', 'ging'))
  await render(project, output, { captions: 'sidecar', ...PART })
  expect(await readFile(join(folder, 'film.de.srt'), 'utf8')).toContain('Los ging es')
})

test('captions are drawn without the flag and with burn, which may be added to the others', async () => {
  const project = await projectOf(FILES)
  const folder = await scratch()
  const outputs = ['none', 'burn', 'all'].map((name) => join(folder, `${name}.mp4`))
  const [none = '', burn = '', all = ''] = outputs
  await render(project, none)
  await render(project, burn, { captions: 'burn' })
  const run = await vid(['render', project, '-o', all, '--captions', 'track, burn,sidecar'])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect((await readFile(burn)).equals(await readFile(none))).toBe(true)
  expect(await frameHashes(all)).toEqual(await frameHashes(none))
  expect(await textTracks(all)).toHaveLength(2)
  expect((await readdir(folder)).filter((name) => name.startsWith('all'))).toHaveLength(5)
  expect(new Set(await frameHashes(none)).size).toBeGreaterThan(2)
})

test('each row of a batch has its captions beside it', async () => {
  const project = await projectOf({ ...FILES, 'rows.json': '[{"name":"one"},{"name":"two"}]' })
  const folder = await scratch()
  const words = ['--batch', join(project, 'rows.json'), '--captions', 'sidecar,track']
  const run = await vid(['render', project, '-o', join(folder, '{name}.mp4'), ...words])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const ends = ['de.srt', 'de.vtt', 'en.srt', 'en.vtt', 'mp4']
  expect((await readdir(folder)).sort()).toEqual(
    ['manifest.json', ...ends.map((end) => `one.${end}`), ...ends.map((end) => `two.${end}`)].sort(),
  )
  expect(await textTracks(join(folder, 'two.mp4'))).toHaveLength(2)
})

test.each([
  ['gif', ['--captions', 'track'], 'VID_CAPTIONS_UNCARRIED', 'gif cannot have captions as text tracks'],
  ['mp4', ['--captions', 'track', '--format', 'mp4,png-sequence'], 'VID_CAPTIONS_UNCARRIED', 'png-sequence cannot'],
  ['mp4', ['--captions', 'tracks'], 'VID_FLAG_INVALID', 'burn, sidecar or track'],
  ['mp4', ['--captions', 'sidecar', '-c', 'empty.html'], 'VID_CAPTIONS_NONE', 'empty.html'],
  ['mp4', ['--captions', 'sidecar', '-c', 'lost.html'], 'VID_CAPTIONS_TRACK', 'words/lost.vtt'],
  ['mp4', ['--captions', 'track', '-c', 'broken.html'], 'VID_CAPTIONS_BROKEN', 'line 3'],
])('a %s with %j is refused and leaves nothing', async (format, flags, code, words) => {
  const project = await projectOf({
    ...FILES,
    'empty.html': pageOf('').replaceAll(/<track[^>]*>/g, ''),
    'lost.html': pageOf('').replace('talk.vtt', 'lost.vtt'),
    'broken.html': pageOf('').replace('talk.vtt', 'broken.vtt'),
    'words/broken.vtt': 'WEBVTT\n\n00:02.000 --> 00:01.000\nx\n',
  })
  const folder = await scratch()
  const run = await vid(['render', project, '-o', join(folder, `out.${format}`), ...flags])
  expect(run.code, run.stderr).not.toBe(0)
  expect(run.stderr).toContain(code)
  expect(run.stderr).toContain(words)
  expect(await readdir(folder)).toEqual([])
})

test('a sidecar never replaces the captions that it is made of', async () => {
  const page = pageOf('')
    .replace(/<section[\s\S]*<\/section>/, '')
    .replace('words/talk.vtt', 'film.en.vtt')
  const project = await projectOf({ 'index.html': page, 'film.en.vtt': ENGLISH })
  const run = await vid(['render', project, '-o', join(project, 'film.mp4'), '--captions', 'sidecar'])
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('VID_OUTPUT_SOURCE')
  expect(await readFile(join(project, 'film.en.vtt'), 'utf8')).toBe(ENGLISH)
})
