import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { colourFrames } from '../support/colours.ts'
import { rendersOfFile } from '../support/renders.ts'
import { ffmpeg } from '../support/sound.ts'
import { scratch } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

/** Size of each half of a page: the left one shows the video, the right one a picture of its frame. */
const HALF = { width: 240, height: 200 }
const FRAME = 5
const FPS = 10

/** Styles that place or shape a replaced element. */
const STYLES = [
  'width:140px;height:60px;object-fit:fill',
  'width:140px;height:60px;object-fit:contain',
  'width:140px;height:60px;object-fit:cover',
  'width:140px;height:60px;object-fit:none',
  'width:140px;height:150px;object-fit:scale-down',
  ...[
    '0 0',
    '20px 10px',
    '-30px -20px',
    'right 10px top 6px',
    'calc(50% + 7px) calc(100% - 3px)',
    '25% 75%',
    'min(10px, 20%) max(5px, 10%)',
    'clamp(2px, 40%, 9px) calc(2 * 4px - 5%)',
    'round(7px, 5px) bottom',
  ].map((position) => `width:100px;height:60px;object-fit:none;object-position:${position}`),
  'object-view-box:inset(10px 20px 30px 5px)',
  'width:100px;object-view-box:xywh(20px 10px 60px 60px);object-fit:cover',
  'width:90px;aspect-ratio:1',
  'height:70px;aspect-ratio:2 / 1;object-fit:cover',
  'width:50%',
  'max-width:70px',
  'min-height:150px',
  'width:80px;padding:8px 4px 2px 12px;border:3px dashed #06c;background:#fc0',
  'width:100px;box-sizing:border-box;padding:10px;border:5px solid #06c;object-fit:fill',
  'width:100px;height:80px;border-radius:30px',
  'width:100px;height:80px;border-radius:50% 0 20px 40px / 10px 40px;border:4px solid #06c',
  'clip-path:circle(40px at 60% 40%)',
  'clip-path:polygon(50% 0, 100% 100%, 0 80%)',
  'clip-path:inset(10px 20px round 15px)',
  'clip-path:path("M0 0L120 0L60 100Z")',
  'mask:linear-gradient(90deg, #000, transparent)',
  'mask:radial-gradient(circle at 30% 30%, #000 30px, transparent 40px)',
  'mask:linear-gradient(#000 0 0) 10px 10px / 60px 50px no-repeat',
  'filter:blur(3px)',
  'filter:grayscale(1) contrast(1.5)',
  'filter:hue-rotate(90deg)',
  'width:100px;filter:drop-shadow(6px 6px 2px #000)',
  'mix-blend-mode:multiply',
  'mix-blend-mode:difference',
  'opacity:0.5;outline:4px solid #06c',
  'width:100px;box-shadow:8px 8px 6px #0008, inset 0 0 9px #f00',
  'width:100px;transform:rotate(30deg)',
  'transform:scaleX(-1)',
  'width:100px;transform:skew(15deg, 5deg) translate(20%, 10%)',
  'width:100px;transform:perspective(200px) rotateY(35deg)',
  'rotate:90deg;scale:0.7;translate:10px -5px',
  'width:100px;transform-origin:0 100%;transform:rotate(-20deg)',
  'zoom:0.6',
  'zoom:1.3;width:60%',
  'width:80px;margin:-10px 0 0 -15px',
  'position:absolute;inset:20px auto auto 30px;width:100px',
  'float:right;width:90px',
  'width:100px;vertical-align:-20px',
  'display:block;inline-size:fit-content;block-size:70px',
  'writing-mode:vertical-rl;width:90px;object-position:top',
  'image-rendering:pixelated;width:200px',
]

/** Places in a document in which it stands. */
const PLACES: Readonly<Record<string, (tag: string) => string>> = {
  'in a block': (tag) => `<div>${tag}</div>`,
  'beside text': (tag) => `<p style="font:20px/1.5 sans-serif;margin:0">one ${tag} two three</p>`,
  'in a flex box': (tag) =>
    `<div style="display:flex;width:200px;height:160px;align-items:center">${tag}<i>x</i></div>`,
  'in a grid': (tag) =>
    `<div style="display:grid;grid:1fr 20px / 1fr 40px;width:220px;height:180px;place-items:end start">${tag}</div>`,
  'in a vertical text': (tag) => `<div style="writing-mode:vertical-rl;height:180px">one ${tag}</div>`,
  'in a zoomed element': (tag) => `<div style="zoom:1.25">${tag}</div>`,
  'in a turned element': (tag) => `<div style="transform:rotate(-8deg);transform-origin:0 0">${tag}</div>`,
  'in a space of three dimensions': (tag) =>
    `<div style="perspective:400px"><div style="transform-style:preserve-3d;transform:rotateY(25deg)">${tag}</div></div>`,
  'in an SVG': (tag) =>
    `<svg width="230" height="190" viewBox="0 0 300 250"><foreignObject x="10" y="5" width="280" height="240"><div xmlns="http://www.w3.org/1999/xhtml">${tag}</div></foreignObject></svg>`,
  'in a shadow tree': (tag) => `<div><template shadowrootmode="open"><section>${tag}</section></template></div>`,
}

const CASES = STYLES.flatMap((style) => Object.keys(PLACES).map((place) => [style, place] as const))

const render = rendersOfFile()

/** A video of four quarters with a bar that moves, and its sixth frame. */
const makeSources = async (): Promise<string> => {
  const folder = await scratch()
  const quarter = (colour: string) => ['-f', 'lavfi', '-i', `color=${colour}:s=60x50:r=${FPS}:d=1`]
  const quarters = ['0x802020', '0x20a040', '0x3040c0', '0xe0d080'].flatMap(quarter)
  const moving = `color=white:s=8x100:r=${FPS}:d=1[bar];[whole][bar]overlay=x=12*n:y=0`
  const drawing = `[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack[whole];${moving},format=yuv444p`
  const sources = join(folder, 'a.mp4')
  const tags = '-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'.split(' ')
  await ffmpeg([
    ...quarters,
    '-filter_complex',
    `${drawing},scale=out_color_matrix=bt709`,
    '-c:v',
    'libx264',
    '-qp',
    '0',
    ...tags,
    sources,
  ])
  const frame = `select=eq(n\\,${FRAME}),scale=in_color_matrix=bt709,format=rgb24`
  await ffmpeg(['-i', sources, '-vf', frame, '-frames:v', '1', join(folder, 'a.png')])
  return folder
}

const pageOf = (style: string, place: string): string => {
  const stands = PLACES[place] ?? String
  const half = (left: number, tag: string) =>
    `<div style="position:absolute;left:${left}px;top:0;width:${HALF.width}px;height:${HALF.height}px;overflow:hidden;isolation:isolate;background:#cde">${stands(tag)}</div>`
  const shared = `style="object-fit:contain;${style.replaceAll('"', '&quot;')}"`
  return `<!doctype html><html><body>
  <div id="root" data-composition-id="main" data-width="${2 * HALF.width}" data-height="${HALF.height}" data-duration="1" style="background:#cde">
  ${half(0, `<video src="a.mp4" data-start="0" data-duration="1" muted ${shared}></video>`)}
  ${half(HALF.width, `<img src="a.png" ${shared}>`)}
  </div></body></html>`
}

/** Difference of a channel that neither the edge of a scaled picture nor the rounding of a colour makes. */
const APART = 40

/** Pixels of the left half that are not those of the right one. */
const differentPixels = (frame: Uint8Array): number => {
  let count = 0
  for (let y = 0; y < HALF.height; y++)
    for (let x = 0; x < HALF.width; x++) {
      const [left, right] = [x, x + HALF.width].map((column) => (y * 2 * HALF.width + column) * 3) as [number, number]
      const isApart = [0, 1, 2].some((c) => Math.abs((frame[left + c] ?? 0) - (frame[right + c] ?? 0)) > APART)
      if (isApart) count += 1
    }
  return count
}

test.each(partOf(CASES, 9))('a video with %s, %s, lies where a picture of its frame lies', async (style, place) => {
  const projectDir = await projectOf({ 'index.html': pageOf(style, place) })
  await cp(await makeSources(), projectDir, { recursive: true })
  const output = join(projectDir, 'out.mp4')
  await render({ projectDir, output, fps: FPS, crf: 0, from: `${FRAME / FPS}s`, to: `${(FRAME + 1) / FPS}s` })
  const [frame = new Uint8Array()] = await colourFrames(output)
  expect(frame).toHaveLength(2 * HALF.width * HALF.height * 3)
  // A browser rounds the edges of a video and of an image differently: by a line of pixels each. A shadow repeats them.
  const edges = style.includes('drop-shadow') ? 2 : 1
  expect(differentPixels(frame)).toBeLessThan(edges * HALF.width)
})
