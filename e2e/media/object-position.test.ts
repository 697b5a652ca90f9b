import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { greyFrames } from '../support/pixels.ts'
import { rendersOfFile } from '../support/renders.ts'
import { ffmpeg } from '../support/sound.ts'
import { scratch } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

/** Positions of a picture in its box, as an author may write them. */
const POSITIONS = [
  '50% 50%',
  '0 0',
  '20px 10px',
  '-30px -20px',
  'right 10px top 6px',
  'calc(50% + 7px) calc(100% - 3px)',
  '25% 75%',
  'min(10px, 20%) max(5px, 10%)',
  'clamp(2px, 40%, 9px) calc(2 * 4px - 5%)',
  'round(7px, 5px) bottom',
]

const BOX = { width: 100, height: 80 }
const WIDTH = POSITIONS.length * BOX.width

const render = rendersOfFile()

/** Four quarters, each in one grey, larger than a box. */
const makePictures = async (): Promise<string> => {
  const folder = await scratch()
  const quarter = (grey: string) => ['-f', 'lavfi', '-i', `color=${grey}:s=120x80:r=10:d=1`]
  const join4 = '[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack,format=yuv420p'
  const quarters = [...quarter('0x202020'), ...quarter('0x606060'), ...quarter('0xa0a0a0'), ...quarter('0xe0e0e0')]
  await ffmpeg([...quarters, '-filter_complex', join4, '-c:v', 'libx264', '-qp', '0', join(folder, 'a.mp4')])
  await ffmpeg([...quarters, '-filter_complex', `${join4},format=rgb24`, '-frames:v', '1', join(folder, 'a.png')])
  return folder
}

/** A page with a box for each position; `tag` shows the picture. */
const page = (fit: string, tag: (style: string) => string) =>
  `<!doctype html><html><head><style>#root{background:#000}video,img{position:absolute;top:0;width:${BOX.width}px;height:${BOX.height}px;object-fit:${fit}}</style></head>
  <body><div id="root" data-composition-id="main" data-width="${WIDTH}" data-height="${BOX.height}" data-duration="0.2">
  ${POSITIONS.map((position, index) => tag(`left:${index * BOX.width}px;object-position:${position}`)).join('\n')}</div></body></html>`

/** Greys further apart than the edge of a scaled picture makes them. */
const APART = 40

const differentPixels = (one: Uint8Array, other: Uint8Array, box: number): number => {
  let count = 0
  for (let y = 0; y < BOX.height; y++)
    for (let x = box * BOX.width; x < (box + 1) * BOX.width; x++)
      if (Math.abs((one[y * WIDTH + x] ?? 0) - (other[y * WIDTH + x] ?? 0)) > APART) count += 1
  return count
}

test.each(partOf(['fill', 'contain', 'cover', 'none', 'scale-down'], 1))(
  'with object-fit %s, a video lies at every position where an image lies',
  async (fit) => {
    const pictures = await makePictures()
    const shown = async (tag: (style: string) => string) => {
      const projectDir = await projectOf({ 'index.html': page(fit, tag) })
      await cp(pictures, projectDir, { recursive: true })
      const output = join(projectDir, 'out.mp4')
      await render({ projectDir, output, fps: 10, crf: 0 })
      return greyFrames(output)
    }
    const videos = await shown(
      (style) => `<video src="a.mp4" data-start="0" data-duration="0.2" muted style="${style}"></video>`,
    )
    const images = await shown((style) => `<img src="a.png" style="${style}">`)
    expect(videos).toHaveLength(2)
    const wrong = POSITIONS.flatMap((position, index) => {
      const count = differentPixels(videos[1] ?? new Uint8Array(), images[1] ?? new Uint8Array(), index)
      return count > BOX.width ? [`${position}: ${count} pixels`] : []
    })
    expect(wrong).toEqual([])
  },
)
