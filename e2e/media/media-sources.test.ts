import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrames, probeMedia } from '@vid/ffmpeg'
import { gradeColour, readGrading } from '@vid/runtime'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { makeCache } from '../support/caches.ts'
import { rendersOfFile } from '../support/renders.ts'
import { amplitude, between, ffmpeg, readSound, writeTone } from '../support/sound.ts'
import { BLOCKS, COLOURS, makeSources } from '../support/sources.ts'
import { here, vidInProcess } from '../support/vid.ts'

const FPS = 30
const FRAMES = 30
const WIDTH = 1280
const HEIGHT = 720
const work = here('projects/media-sources')
const cache = join(work, 'cache')

/** Where a source of 320 × 180 lies in the picture: at a place, half as large, or turned clockwise by degrees. */
interface Place {
  readonly x: number
  readonly y: number
  readonly half?: true
  readonly stretch?: number
  readonly turn?: 0 | 90 | 180 | 270
}

const PLACES = {
  graded: { x: 0, y: 0 },
  vp8: { x: 320, y: 0 },
  wide: { x: 640, y: 0, stretch: 2 },
  turned90: { x: 0, y: 180, turn: 90 },
  turned270: { x: 180, y: 180, turn: 270 },
  turned180: { x: 360, y: 180, turn: 180 },
  late: { x: 680, y: 180 },
  early: { x: 1000, y: 180, half: true },
  offset: { x: 1000, y: 270, half: true },
  slowest: { x: 360, y: 360, half: true },
  fastest: { x: 520, y: 360, half: true },
  film: { x: 680, y: 360, half: true },
  ntsc: { x: 840, y: 360, half: true },
  rate15: { x: 1000, y: 360, half: true },
  canvas: { x: 360, y: 450, half: true },
  webgl: { x: 520, y: 450, half: true },
  bitmap: { x: 680, y: 450, half: true },
  pattern: { x: 840, y: 450, half: true },
} as const satisfies Record<string, Place>
type Name = keyof typeof PLACES

const video = (name: Name, src: string, attributes = '', style = '') => {
  const place: Place = PLACES[name]
  const size = place.half ? 'width:160px;height:90px;' : ''
  return `<video data-start="0" data-duration="${FRAMES / FPS}" src="${src}" ${attributes} style="left:${place.x}px;top:${place.y}px;${size}${style}"></video>`
}
const canvas = (name: Name) =>
  `<canvas id="${name}" width="160" height="90" style="left:${PLACES[name].x}px;top:${PLACES[name].y}px"></canvas>`

const page = (width: number, height: number, seconds: number, content: string) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>Sources</title><style>
    #root { background: #102030 }
    video, canvas { position: absolute }
  </style></head><body>
  <div id="root" data-composition-id="sources" data-width="${width}" data-height="${height}" data-duration="${seconds}" data-no-timeline>
  ${content}
  </div></body></html>`

const DRAWING = `<script>
  const source = document.querySelector('video')
  const flat = (id) => document.getElementById(id).getContext('2d')
  const gl = document.getElementById('webgl').getContext('webgl', { preserveDrawingBuffer: true })
  const shader = (type, text) => {
    const made = gl.createShader(type)
    gl.shaderSource(made, text)
    gl.compileShader(made)
    return made
  }
  const program = gl.createProgram()
  gl.attachShader(program, shader(gl.VERTEX_SHADER,
    'attribute vec2 at; varying vec2 uv; void main() { uv = vec2(at.x, 1.0 - at.y); gl_Position = vec4(at * 2.0 - 1.0, 0, 1); }'))
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER,
    'precision mediump float; varying vec2 uv; uniform sampler2D picture; void main() { gl_FragColor = texture2D(picture, uv); }'))
  gl.linkProgram(program)
  gl.useProgram(program)
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW)
  gl.enableVertexAttribArray(0)
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
  for (const [name, value] of [['MIN_FILTER', 'LINEAR'], ['MAG_FILTER', 'LINEAR'], ['WRAP_S', 'CLAMP_TO_EDGE'], ['WRAP_T', 'CLAMP_TO_EDGE']])
    gl.texParameteri(gl.TEXTURE_2D, gl['TEXTURE_' + name], gl[value])
  window.addEventListener('vid-seek', ({ detail }) => {
    flat('canvas').drawImage(source, 0, 0, 160, 90)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source)
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4)
    const pattern = flat('pattern')
    pattern.setTransform(0.5, 0, 0, 0.5, 0, 0)
    pattern.fillStyle = pattern.createPattern(source, 'no-repeat')
    pattern.fillRect(0, 0, 320, 180)
    detail.waitUntil(createImageBitmap(source).then((bitmap) => flat('bitmap').drawImage(bitmap, 0, 0, 160, 90)))
  })
</script>`

const decoded = async (file: string) => {
  const all: Uint8Array[] = []
  for await (const frame of decodeFrames(file, { pixFmt: 'rgb24' })) all.push(frame)
  return all
}

/** The pixel that a point of the source has in the picture. */
const colourAt = (frame: Uint8Array, name: Name, sourceX: number, sourceY: number): number[] => {
  const { x, y, half, stretch = 1, turn = 0 }: Place = PLACES[name]
  const scale = half ? 0.5 : 1
  const turned = {
    0: [sourceX * stretch, sourceY],
    90: [179 - sourceY, sourceX],
    180: [319 - sourceX, 179 - sourceY],
    270: [sourceY, 319 - sourceX],
  }[turn]
  const [column = 0, row = 0] = turned.map((value) => Math.floor(value * scale))
  const offset = ((y + row) * WIDTH + x + column) * 3
  return [...frame.subarray(offset, offset + 3)]
}

const numberIn = (frame: Uint8Array, name: Name): number =>
  Array.from({ length: 8 }, (_, bit) =>
    (colourAt(frame, name, BLOCKS.left + bit * BLOCKS.step + BLOCKS.width / 2, 24)[1] ?? 0) > 128 ? 1 << bit : 0,
  ).reduce((a, b) => a + b, 0)

const expectColour = (colour: readonly number[], expected: readonly number[], most = 4) => {
  for (const [channel, value] of expected.entries())
    expect(Math.abs((colour[channel] ?? 0) - value), `${colour} for ${expected}`).toBeLessThanOrEqual(most)
}

const project = async (name: string, html: string) => {
  const folder = join(work, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), html)
  return folder
}

const source = (name: string) => join(work, 'all', 'sources', name)

const makeAll = async () => {
  await makeSources(join(work, 'all', 'sources'), ['h264.mp4', 'vp8.webm', 'film.mp4', 'ntsc.mp4'])
  const copy = ['-i', source('h264.mp4'), '-c', 'copy']
  for (const degrees of ['90', '180', '270']) {
    const turned = source('turned.mp4')
    await ffmpeg([...copy, '-metadata:s:v', `rotate=${degrees}`, turned])
    // Versions of ffmpeg disagree about the direction of the tag; what a container says is counterclockwise.
    const { rotation = 0 } = (await probeMedia(turned)).video[0] ?? {}
    await rename(turned, source(`turned${(360 - rotation) % 360}.mp4`))
  }
  await ffmpeg([...copy, '-aspect', '32:9', source('wide.mp4')])
  await ffmpeg([...copy, '-output_ts_offset', '100', source('offset.ts')])
  await writeTone(source('tone.wav'), 500, 4)
  const talking = ['-i', source('h264.mp4'), '-i', source('tone.wav'), '-c:v', 'libvpx', '-b:v', '8M']
  const quick = ['-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']
  await ffmpeg([...talking, ...quick, source('early.webm')])
  await ffmpeg(['-i', source('early.webm'), '-c', 'copy', '-output_ts_offset', '0.5', source('late.webm')])
}

let frames: Uint8Array[] = []
let file: string

beforeAll(async () => {
  await rm(work, { recursive: true, force: true })
  vi.stubEnv('VID_CACHE_DIR', await makeCache(cache))
  await makeAll()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(work, { recursive: true, force: true })
})

const render = rendersOfFile()

beforeAll(async () => {
  const grading = JSON.stringify({ adjust: { saturation: -1 } })
  const pathOf = (name: string) => `sources/${name}`
  const videos = [
    video('graded', pathOf('h264.mp4'), `muted data-color-grading='${grading}'`),
    video('vp8', pathOf('vp8.webm'), 'muted'),
    video('wide', pathOf('wide.mp4'), 'muted'),
    video('turned90', pathOf('turned90.mp4'), 'muted'),
    video('turned270', pathOf('turned270.mp4'), 'muted'),
    video('turned180', pathOf('turned180.mp4'), 'muted'),
    video('late', pathOf('late.webm')),
    video('early', pathOf('early.webm'), 'muted'),
    video('offset', pathOf('offset.ts'), 'muted data-media-start="2.5"'),
    video('slowest', pathOf('h264.mp4'), 'muted data-playback-rate="0.01"'),
    video('fastest', pathOf('h264.mp4'), 'muted data-playback-rate="9"'),
    video('film', pathOf('film.mp4'), 'muted'),
    video('ntsc', pathOf('ntsc.mp4'), 'muted'),
    video('rate15', pathOf('h264.mp4'), 'muted data-playback-rate="1.5"'),
  ]
  const canvases = (['canvas', 'webgl', 'bitmap', 'pattern'] as const).map(canvas)
  const folder = await project('all', page(WIDTH, HEIGHT, FRAMES / FPS, [...videos, ...canvases, DRAWING].join('\n')))
  file = join(work, 'all.mp4')
  await render({ projectDir: folder, output: file, workers: 1, crf: 2, strict: true })
  frames = await decoded(file)
})

test('sources of all kinds render in one composition, also strictly', () => {
  expect(frames).toHaveLength(FRAMES)
})

const numbers = (name: Name) => frames.map((frame) => numberIn(frame, name))
const sequence = (number: (frame: number) => number) => Array.from({ length: FRAMES }, (_, n) => number(n))

test('a video is graded, and no other', () => {
  const settings = readGrading(JSON.stringify({ adjust: { saturation: -1 } }), {})
  if (!settings) throw new Error('no grading')
  const [red, green, blue] = COLOURS[0]
  const grey = gradeColour(settings, [red / 255, green / 255, blue / 255]).map((value) => value * 255)
  expectColour(colourAt(frames[10] ?? new Uint8Array(), 'graded', 200, 120), grey, 6)
  expectColour(colourAt(frames[10] ?? new Uint8Array(), 'film', 200, 120), COLOURS[0])
})

test('a transparent VP8 source shows what is behind it', () => {
  expect(numbers('vp8')).toEqual(sequence((n) => n))
  expectColour(colourAt(frames[10] ?? new Uint8Array(), 'vp8', 80, 120), COLOURS[0], 6)
  expectColour(colourAt(frames[10] ?? new Uint8Array(), 'vp8', 240, 120), [16, 32, 48])
})

test.each(partOf(['turned90', 'turned180', 'turned270', 'wide'] as const, 2))(
  '%s is oriented as its container declares',
  (name) => {
    expect(numbers(name)).toEqual(sequence((n) => n))
    for (const [x, y] of [
      [6, 170],
      [313, 170],
      [313, 6],
    ] as const)
      expectColour(colourAt(frames[10] ?? new Uint8Array(), name, x, y), COLOURS[0])
  },
)

// Opus begins 7 ms before 0, and the muxer moves the picture by as much: each frame comes one later.
test.each(['early', 'late'] as const)('%s time stamps count from the beginning of the file', (name) => {
  expect(numbers(name)).toEqual(sequence((n) => Math.max(0, n - 1)))
})

test('a source that begins late is heard with its picture', async () => {
  const [left] = await readSound(file)
  expect(amplitude(between(left, 0.05, 0.45), 500)).toBeCloseTo(0.5, 1.5)
})

test('a media start counts from the beginning of a broadcast', () => {
  expect(numbers('offset')).toEqual(sequence((n) => n + 75))
})

test('rates are held within 0.1 and 5', () => {
  expect(numbers('slowest')).toEqual(sequence((n) => Math.floor(n / 10 + 1e-6)))
  expect(numbers('fastest')).toEqual(sequence((n) => Math.min(119, n * 5)))
})

test('sources of other rates show the frame of each time', () => {
  expect(numbers('film')).toEqual(sequence((n) => Math.floor((n / FPS) * 24 + 1e-6)))
  expect(numbers('ntsc')).toEqual(sequence((n) => Math.floor(((n / FPS) * 60_000) / 1001 + 1e-6)))
  expect(numbers('rate15')).toEqual(sequence((n) => Math.floor(n * 1.5)))
})

test.each(partOf(['canvas', 'webgl', 'bitmap', 'pattern'] as const, 2))(
  '%s draws the video frame of its time',
  (name) => {
    expect(numbers(name)).toEqual(sequence((n) => n))
    expectColour(colourAt(frames[10] ?? new Uint8Array(), name, 200, 120), COLOURS[0])
  },
)

test.each([
  // Seven frames of 24 a second, and what the folder says of itself.
  ['extracted', 'jpg', 8],
  // Its packets, and what they are.
  ['copied for the browser to decode', 'auto', 2],
] as const)('a source that is used five times is %s once', async (_name, videoFrameFormat, files) => {
  await rm(join(cache, 'frames'), { recursive: true, force: true })
  const use = '<video data-start="0" data-duration="0.3" src="../all/sources/film.mp4" muted></video>'
  const folder = await project('five', page(64, 36, 0.3, use.repeat(5).replaceAll('../all/', '')))
  await mkdir(join(folder, 'sources'), { recursive: true })
  await writeFile(join(folder, 'sources', 'film.mp4'), await readFile(source('film.mp4')))
  await render({ projectDir: folder, output: join(work, 'five.mp4'), workers: 2, videoFrameFormat })
  const folders = await readdir(join(cache, 'frames'))
  expect(folders).toHaveLength(1)
  expect(await readdir(join(cache, 'frames', folders[0] ?? ''))).toHaveLength(files)
})

test('what the browser decodes shows the frames that are extracted, and the page sees nothing of it', async () => {
  const style = 'position:absolute;left:20px;top:10px;width:120px;height:80px;object-fit:contain'
  const look = `<script>addEventListener('vid-seek', () => {
    const video = document.querySelector('video')
    const seen = [video.textTracks.length, video.childNodes.length, document.querySelectorAll('canvas').length,
      document.querySelectorAll('video').length, video.shadowRoot === null ? 0 : 1]
    document.getElementById('root').style.background = seen.join() === '0,0,0,1,0' ? '#0000ff' : '#ff0000'
  })</script>`
  const use = `<video data-start="0" data-duration="0.5" src="film.mp4" style="${style};border-radius:20px" muted></video>`
  const folder = await project('both', page(160, 100, 0.5, `${use}${look}`))
  await writeFile(join(folder, 'film.mp4'), await readFile(source('film.mp4')))
  const shown: Uint8Array[][] = []
  for (const videoFrameFormat of ['auto', 'png'] as const) {
    const output = join(work, `both-${videoFrameFormat}.mp4`)
    await render({ projectDir: folder, output, workers: 1, videoFrameFormat })
    const pictures: Uint8Array[] = []
    for await (const frame of decodeFrames(output, { pixFmt: 'rgb24' })) pictures.push(frame)
    shown.push(pictures)
  }
  const [decoded = [], extracted = []] = shown
  expect(decoded).toHaveLength(15)
  for (const [index, frame] of decoded.entries()) {
    const other = extracted[index] ?? new Uint8Array()
    const differences = frame.map((value, index) => Math.abs(value - (other[index] ?? 0)))
    expect(differences.reduce((sum, difference) => sum + difference, 0) / differences.length).toBeLessThan(2)
    // Outside of the video: blue, when the page saw what it should.
    expect(frame[2] ?? 0).toBeGreaterThan(200)
    expect(frame[0] ?? 0).toBeLessThan(60)
  }
})

/** Ways to show a source, each with its style and what a script does to it. */
const SHOWN = {
  'in half its size': ['width:160px;height:90px', ''],
  'cut to a square': ['width:90px;height:90px;object-fit:cover', ''],
  'with room around it': ['width:160px;height:180px', ''],
  'taken out and put back': ['', 'if (t > 0.2 && t < 0.4) v.remove(); else if (!v.isConnected) root.append(v)'],
  'given controls': ['width:320px;height:180px', 'if (t > 0.3) v.controls = true'],
  'changing its size': [
    '',
    `v.style.width = t < 0.3 ? '160px' : '200.5px'; v.style.height = t < 0.3 ? '90px' : '112px'`,
  ],
  'in a page that is zoomed': ['zoom:0.5', ''],
} as const
type Shown = keyof typeof SHOWN

/** Width of the part of the picture in which a source is shown. */
const PART = 320

/** What of them is decoded by the browser all the same, and what is not. */
const GROUPS: readonly { readonly names: readonly Shown[]; readonly fallsBack: boolean }[] = [
  {
    names: ['in half its size', 'cut to a square', 'with room around it', 'taken out and put back', 'given controls'],
    fallsBack: false,
  },
  { names: ['changing its size'], fallsBack: true },
  { names: ['in a page that is zoomed'], fallsBack: true },
]

test.each(partOf(GROUPS, 1))(
  'decoded sources look as when they are extracted: $names',
  async ({ names, fallsBack }) => {
    const uses = names.map((name, index) => {
      const [style, script] = SHOWN[name]
      return `<video id="v${index}" data-start="0.1" data-duration="0.8" src="film.mp4" style="left:${index * PART}px;${style}" muted></video>
    <script>{ const v = document.getElementById('v${index}')
    addEventListener('vid-seek', ({ detail: { time: t } }) => { ${script} }) }</script>`
    })
    const width = names.length * PART
    const folder = await project(`shown-${names[0]?.replaceAll(/\W/g, '-')}`, page(width, 180, 1, uses.join('\n')))
    await writeFile(join(folder, 'film.mp4'), await readFile(source('film.mp4')))
    const shown: Uint8Array[][] = []
    for (const videoFrameFormat of ['auto', 'png'] as const) {
      const output = join(work, `shown-${videoFrameFormat}.mp4`)
      const { warned } = await render({ projectDir: folder, output, workers: 1, fps: 15, videoFrameFormat })
      if (videoFrameFormat === 'auto') expect(warned.includes('VID_LANE_FALLBACK'), warned).toBe(fallsBack)
      shown.push(await decoded(output))
    }
    const [inPage = [], extracted = []] = shown
    expect(inPage).toHaveLength(15)
    for (const [index, frame] of inPage.entries())
      for (const [part, name] of names.entries()) {
        let sum = 0
        for (let row = 0; row < 180; row += 1) {
          const start = (row * width + part * PART) * 3
          for (let offset = start; offset < start + PART * 3; offset += 1)
            sum += Math.abs((frame[offset] ?? 0) - (extracted[index]?.[offset] ?? 0))
        }
        expect(sum / (PART * 180 * 3), `frame ${index}: ${name}`).toBeLessThan(3)
      }
  },
)

test('pixels that are not square may make an odd width', async () => {
  const folder = await project('odd', page(426, 240, 0.2, '<video data-start="0" src="wide.mp4" muted></video>'))
  const bars = ['-f', 'lavfi', '-i', 'testsrc2=s=720x480:r=30:d=0.2', '-vf', 'setsar=32/27']
  await ffmpeg([...bars, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', join(folder, 'wide.mp4')])
  await render({ projectDir: folder, output: join(work, 'odd.mp4'), strict: true })
})

describe('broken sources', () => {
  const small = (name: string, attributes = '') =>
    `<video data-start="0" data-duration="0.5" src="${name}" ${attributes} muted></video>`

  const broken = async () => {
    const names = ['good.mp4', 'empty.mp4', 'text.mp4', 'torn.mp4', 'cut.mp4']
    const folder = await project(
      'broken',
      page(
        320,
        180,
        0.5,
        [...names]
          .reverse()
          .map((name) => small(name))
          .join(''),
      ),
    )
    await writeFile(join(folder, 'good.mp4'), await readFile(source('h264.mp4')))
    await writeFile(join(folder, 'empty.mp4'), '')
    await writeFile(join(folder, 'text.mp4'), 'this is no video')
    // Its index stands at the end, and is lost.
    const whole = await readFile(source('h264.mp4'))
    await writeFile(join(folder, 'torn.mp4'), whole.subarray(0, whole.length / 2))
    await ffmpeg(['-i', source('h264.mp4'), '-c', 'copy', '-movflags', '+faststart', join(folder, 'cut.mp4')])
    await truncate(join(folder, 'cut.mp4'), Math.round(whole.length * 0.6))
    return folder
  }

  test('are named, and the others play', async () => {
    const folder = await broken()
    const output = join(work, 'broken.mp4')
    const { warned } = await render({ projectDir: folder, output, workers: 1 })
    for (const name of ['empty', 'text', 'torn'])
      expect(warned).toMatch(new RegExp(`VID_MEDIA_UNUSABLE.*src "${name}\\.mp4"`))
    expect(warned).not.toMatch(/VID_MEDIA_UNUSABLE.*(?:good|cut)\.mp4/)
    const [frame = new Uint8Array()] = await decoded(output)
    expectColour([...frame.subarray((120 * 320 + 200) * 3, (120 * 320 + 200) * 3 + 3)], COLOURS[0])
  })

  test('are all named in the error of a strict render', async () => {
    const folder = await broken()
    const index = join(folder, 'index.html')
    // Lint names a text before anything is read.
    const withoutText = (await readFile(index, 'utf8')).replace(small('text.mp4'), '')
    await writeFile(index, withoutText)
    const run = await vidInProcess(['render', folder, '-o', join(work, 'strict.mp4'), '--strict'])
    expect(run.code).toBe(1)
    for (const name of ['empty', 'torn', 'cut'])
      expect(run.stderr).toMatch(new RegExp(`VID_MEDIA_STRICT.*src "${name}\\.mp4"`))
    expect(run.stderr).toMatch(/cut\.mp4": it is truncated: only \d+ of its 120 frames are there/)
    expect(run.stderr).not.toMatch(/good\.mp4/)
  })

  const CUT = { graded: 'cut.mp4', vp8: 'cut.webm', late: 'cut.mov' } as const
  const makeCut = async () => {
    const uses = Object.entries(CUT).map(([place, src]) => video(place as Name, src, 'muted data-media-start="3"'))
    const torn = '<video data-start="0" data-duration="1" src="torn.mp4" muted></video>'
    const folder = await project('cut', page(WIDTH, HEIGHT, 0.2, [...uses, torn].join('')))
    const all = ['-i', source('h264.mp4'), '-an']
    const codecs = {
      'cut.mp4': ['-c', 'copy', '-movflags', '+faststart'],
      'cut.webm': ['-c:v', 'libvpx', '-b:v', '8M', '-deadline', 'realtime', '-cpu-used', '8'],
      'cut.mov': ['-c:v', 'prores_ks', '-movflags', '+faststart'],
    }
    for (const [name, codec] of Object.entries(codecs)) {
      await ffmpeg([...all, ...codec, join(folder, name)])
      const whole = await readFile(join(folder, name))
      await truncate(join(folder, name), Math.round(whole.length * 0.6))
      // Of this one, not even the first frame is there.
      if (name === 'cut.mov') await writeFile(join(folder, 'torn.mp4'), whole.subarray(0, 5000))
    }
    return folder
  }

  let cut: string
  beforeAll(async () => {
    cut = await makeCut()
  })

  test('truncated files show their last whole frame, and one without any is skipped, with a warning each', async () => {
    const output = join(work, 'cut.mp4')
    const { warned } = await render({ projectDir: cut, output, workers: 1, crf: 2 })
    for (const name of Object.values(CUT)) expect(warned).toMatch(new RegExp(`VID_MEDIA_DAMAGED.* ${name} `))
    expect(warned).toMatch(/VID_MEDIA_UNUSABLE.*src "torn\.mp4" is skipped/)
    expect(warned).not.toContain('VID_ASSET_FAILED')
    const pictures = await decoded(output)
    expect(pictures).toHaveLength(6)
    for (const place of Object.keys(CUT) as Name[]) {
      const shown = new Set(pictures.map((frame) => numberIn(frame, place)))
      expect(shown.size, place).toBe(1)
      expect([...shown][0], place).toBeGreaterThan(40)
      expect([...shown][0], place).toBeLessThan(90)
    }
  })

  test('truncated files are errors of a strict render', async () => {
    const run = await vidInProcess(['render', cut, '-o', join(work, 'cut-strict.mp4'), '--strict'])
    expect(run.code).toBe(1)
    for (const name of [...Object.values(CUT), 'torn.mp4'])
      expect(run.stderr).toMatch(new RegExp(`VID_MEDIA_STRICT.*src "${name.replace('.', '\\.')}"`))
  })

  test('a page that shows nothing but a missing video is rendered', async () => {
    const folder = await project('gone', page(64, 36, 0.2, small('gone.mp4')))
    const { warned } = await render({ projectDir: folder, output: join(work, 'gone.mp4'), workers: 1 })
    expect(warned).toMatch(/VID_MEDIA_UNUSABLE.*gone\.mp4/)
    expect(warned).not.toMatch(/VID_LANE_FALLBACK/)
  })

  test('a media start past the end says so', async () => {
    const folder = await project('past', page(64, 36, 0.5, small('h264.mp4', 'data-media-start="4.5"')))
    await writeFile(join(folder, 'h264.mp4'), await readFile(source('h264.mp4')))
    const run = await vidInProcess(['render', folder, '-o', join(work, 'past.mp4')])
    expect(run.code).toBe(1)
    expect(run.stderr).toMatch(/VID_MEDIA_PAST_END.*"h264\.mp4" starts 4\.5 s into a source of 4 s/)
  })
})
