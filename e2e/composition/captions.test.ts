import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest, partOf } from '../../scripts/dev/part-of.ts'
import { readTextTrack, textTracks } from '../support/text-tracks.ts'
import { scratch, vidInProcess as vid, vid as vidAlone } from '../support/vid.ts'
import { projectOf, renderAllWays } from '../support/ways.ts'

const TALK = `WEBVTT

00:00.000 --> 00:01.000
<v Ana>So <00:00.300>we<00:00.600> <00:00.800>go

00:01.500 --> 00:02.500
<v Ben>ab cd
`

const LATE = 'WEBVTT\n\n00:00.000 --> 00:05.000\nLate\n'

const PAGE = `<!doctype html><html><head>
  <script src="https://cdn.jsdelivr.net/npm/@vid/captions"></script>
  <style>
    #root { background: #000000 }
    #word { position: absolute; width: 40px; height: 40px; background: #404040 }
    #root:has([data-state=now]:nth-child(1)) #word { background: #ff0000 }
    #root:has([data-state=now]:nth-child(2)) #word { background: #00ff00 }
    #root:has([data-state=now]:nth-child(3)) #word { background: #0000ff }
    vid-captions { --captions-bottom: 0; --captions-radius: 0; --captions-size: 20px }
    .vid-captions-cue { min-width: 200px; padding: 20px }
    .vid-captions-cue[data-speaker=Ana] { background: #ff00ff }
    .vid-captions-cue[data-speaker=Ben] { background: #00ffff }
    #late { bottom: auto; top: 50px; --captions-background: #ffff00 }
  </style></head><body>
  <div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="4">
    <div id="word"></div>
    <track kind="captions" src="talk.vtt" srclang="en" data-start="0.5">
    <vid-captions mode="karaoke"></vid-captions>
    <section class="clip" data-start="1" data-duration="1">
      <track kind="captions" id="extra" src="late.vtt">
      <vid-captions id="late" for="extra"></vid-captions>
    </section>
  </div></body></html>`

const FILES = { 'index.html': PAGE, 'talk.vtt': TALK, 'late.vtt': LATE }

/** The channels that are bright at a point: its first ones, and the frames in which they change. */
const changesAt = (frames: readonly Uint8Array[], x: number, y: number): string[] => {
  const colours = frames.map((frame) =>
    [...'rgb'].filter((_channel, index) => (frame[(y * 320 + x) * 3 + index] ?? 0) > 128).join(''),
  )
  return colours.flatMap((colour, frame) => (colour === colours[frame - 1] ? [] : [`${frame} ${colour}`.trim()]))
}

test('cues and words are shown in exactly their frames, by the time of the root or of a clip', async () => {
  const { frames, stderr } = await renderAllWays(await projectOf(FILES))
  expect(stderr).not.toContain('warning')
  expect(frames).toHaveLength(120)
  // The two words of the second cue have no times; each has two of its five characters.
  const words = ['0', '15 r', '24 g', '33', '39 b', '45', '60 r', '72', '78 g', '90']
  expect(changesAt(frames, 20, 20)).toEqual(words)
  expect(changesAt(frames, 160, 170)).toEqual(['0', '15 rb', '45', '60 gb', '90'])
  expect(changesAt(frames, 160, 60)).toEqual(['0', '30 rg', '60'])
})

test('a page with captions has no state and stays in the raster lane', async () => {
  const project = await projectOf(FILES)
  const inspected = await vid(['inspect', project, '--json'])
  expect(JSON.parse(inspected.stdout.trim().split('\n').at(-1) ?? '').plan.composition.stateful).toBe(false)
  const output = join(await scratch(), 'out.mp4')
  const { code, stderr } = await vidAlone(['render', project, '-o', output, '-w', '1'], { env: { VID_DEBUG: 'cdp' } })
  expect(code).toBe(0)
  // Some frames are compared with screenshots.
  expect(stderr.match(/Page\.captureScreenshot/g)?.length ?? 0).toBeLessThan(30)
})

test('changed captions are rendered again, and unchanged ones are reused', async () => {
  const project = await projectOf(FILES)
  const output = join(await scratch(), 'out.mp4')
  const render = async () => {
    const run = await vid(['render', project, '-o', output, '--force', '--json'], { env: { VID_CACHE: 'on' } })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    const reused = run.stdout.split('\n').filter((line) => line.includes('"reused":"the same inputs"'))
    return { reused: reused.length, hashes: await frameHashes(output) }
  }
  const first = await render()
  expect((await render()).reused).toBe(4)
  await writeFile(join(project, 'talk.vtt'), TALK.replace('v Ben', 'v Ana'))
  const changed = await render()
  const differing = changed.hashes.flatMap((hash, frame) => (hash === first.hashes[frame] ? [] : [frame]))
  expect([differing[0], differing.at(-1)]).toEqual([60, 89])
})

test('a broken file and a missing track are named', async () => {
  const broken = await projectOf({ ...FILES, 'talk.vtt': TALK.replace('00:02.500', '00:00.500') })
  const output = join(await scratch(), 'out.mp4')
  const run = await vid(['render', broken, '-o', output])
  expect(run.stderr).toContain(
    'the captions "talk.vtt" cannot be read: line 6: the end 00:00.500 is before the start 00:01.500',
  )
  await writeFile(join(broken, 'index.html'), PAGE.replace('for="extra"', 'for="other"'))
  const missing = await vid(['render', broken, '-o', output, '--force'])
  expect(missing.stderr).toContain('<vid-captions> finds no <track id="other">')
  expect(await readFile(join(broken, 'talk.vtt'), 'utf8')).toContain('00:00.500')
})

test('vid captions export writes the captions of a part in the time of its video, by language', async () => {
  const project = await projectOf(FILES)
  const folder = await scratch()
  const words = [
    'captions',
    'export',
    project,
    '--from',
    '1s',
    '--to',
    '2.5s',
    '-o',
    join(folder, 'part.srt'),
    '--json',
  ]
  const run = await vid(words)
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const { files } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as {
    files: { language: string | null; cues: number }[]
  }
  expect(files.map(({ language, cues }) => [language, cues])).toEqual([
    ['en', 2],
    [null, 1],
  ])
  expect(await readFile(join(folder, 'part.en.srt'), 'utf8')).toBe(
    '1\n00:00:00,000 --> 00:00:00,500\nSo we go\n\n2\n00:00:01,000 --> 00:00:01,500\nab cd\n',
  )
  expect(await readFile(join(folder, 'part.und.srt'), 'utf8')).toBe('1\n00:00:00,000 --> 00:00:01,000\nLate\n')
  const again = await vid(words)
  expect(again).toMatchObject({ code: 2 })
  expect(again.stdout + again.stderr).toContain('VID_CAPTIONS_EXISTS')
})

test.each(
  partOf(
    [
      ['mp4', 'mov_text'],
      ['mov', 'mov_text'],
      ['webm', 'webvtt'],
    ],
    2,
  ),
)('vid captions export --into puts text tracks into %s and leaves its pictures', async (format, codec) => {
  const project = await projectOf({ ...FILES, 'index.html': PAGE.replace('id="extra"', '$& srclang="zu"') })
  const output = join(await scratch(), `out.${format}`)
  const part = ['--from', '1s', '--to', '2.5s']
  const run = await vid(['render', project, '-o', output, '-w', '1', ...part])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const before = await frameHashes(output)
  const digests = new Set<string>()
  // The second time, in place of those of the first.
  for (const _time of ['first', 'second']) {
    const exported = await vid(['captions', 'export', project, '--into', output, ...part])
    expect(exported, exported.stderr).toMatchObject({ code: 0 })
    digests.add((await readFile(output)).toString('base64'))
  }
  expect(digests.size).toBe(1)
  expect(await frameHashes(output)).toEqual(before)
  expect((await textTracks(output)).map(([name, language]) => [name, language])).toEqual([
    [codec, 'eng'],
    [codec, 'zul'],
  ])
  expect(await readTextTrack(output, 0)).toBe(
    '1\n00:00:00,000 --> 00:00:00,500\nSo we go\n\n2\n00:00:01,000 --> 00:00:01,500\nab cd',
  )
})

longTest('the talk among the templates has a text track in each of its languages', async () => {
  const output = join(await scratch(), 'talk.mp4')
  const talk = fileURLToPath(new URL('../../examples/captions', import.meta.url))
  const part = ['--to', '3.5s', '--fps', '2', '--scale', '0.2', '--quality', 'draft']
  const run = await vid(['render', talk, '-o', output, '--captions', 'track', ...part])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  expect(await textTracks(output)).toEqual([
    ['mov_text', 'eng', 'English'],
    ['mov_text', 'deu', 'Deutsch'],
    ['mov_text', 'ara', 'العربية'],
  ])
})
