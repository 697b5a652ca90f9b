import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'
import type { RenderSettings } from '@vid/render'
import { expect, onTestFinished, test } from 'vitest'
import { partOf } from '../../scripts/dev/part-of.ts'
import { hardPage } from '../support/hard-pages.ts'
import { rendersOfFile } from '../support/renders.ts'

const render = rendersOfFile()

/** Pages of which each is rendered to every format; npm run lab -- hard-pages renders 200. */
const COUNT = Number(process.env.VID_HARD_PAGES ?? '2')

/** Distance between the numbers of two pages: a few are of different kinds. */
const STEP = COUNT < 100 ? 36 : 1

/** Settings that leave less of a picture than any preset does. */
const coarse: readonly Partial<RenderSettings>[] = [{ crf: 51 }, { videoBitrate: '10k' }]

const project = async (html: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-finished-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'index.html'), html)
  return folder
}

test('the check of finished files takes no right picture for a wrong one', async () => {
  const refused: string[] = []
  for (let number = 0; number < COUNT; number++) {
    const { name, html, fps, quality } = hardPage(number * STEP)
    const projectDir = await project(html)
    const file = (extension: string) => join(projectDir, 'out', `film${extension}`)
    const ways: Record<string, Partial<RenderSettings>> = {
      all: {
        quality,
        outputs: [
          { format: 'mov', output: file('.mov') },
          { format: 'gif', output: file('.gif') },
          { format: 'png-sequence', output: file('') },
          { format: 'webm', output: file('.all.webm') },
          { format: 'mp4', output: file('.all.mp4') },
        ],
      },
      webm: { quality, format: 'webm', output: file('.webm') },
      mp4: { quality, format: 'mp4', output: file('.mp4'), ...(number % 3 === 0 && coarse[number % 2]) },
    }
    for (const [way, settings] of Object.entries(ways)) {
      try {
        await render({ projectDir, fps, ...settings } as RenderSettings)
      } catch (thrown) {
        refused.push(`${name} as ${way}: ${String(thrown)}`)
      }
    }
    await rm(projectDir, { recursive: true, force: true })
  }
  expect(refused).toEqual([])
}, 7_200_000)

const words = (text: string): readonly string[] => text.split(' ')

const BT709 = '-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv'

/** How each format is encoded again, with what its check wants of the stream. */
const formats: Readonly<Record<string, { decoder?: readonly string[]; encoder: readonly string[] }>> = {
  mp4: { encoder: words(`${BT709} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -movflags write_colr`) },
  webm: {
    decoder: words('-c:v libvpx-vp9'),
    encoder: words(
      '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -auto-alt-ref 0 -lag-in-frames 0 -pix_fmt yuva420p -metadata:s:v:0 alpha_mode=1',
    ),
  },
  mov: { encoder: words(`${BT709} -c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le -vendor apl0`) },
  gif: { encoder: words('-gifflags -offsetting-transdiff') },
}

const pictures = 'is not the picture that was captured'

/** Filters of ffmpeg that damage a video of 12 frames, and what the check then says. */
const faults: Readonly<Record<string, { readonly filter: string; readonly says: string | RegExp }>> = {
  black: { filter: 'format=rgb24,drawbox=color=black:t=fill', says: 'its picture is one colour, and the page is not' },
  frozen: { filter: 'select=eq(n\\,0),loop=11:1,setpts=N/10/TB', says: `its frame 4 ${pictures}` },
  shifted: { filter: 'crop=376:240:0:0,pad=400:240:24:0', says: pictures },
  'in wrong colours': { filter: 'format=yuva444p,hue=h=90', says: pictures },
  'later by a frame': {
    filter: 'select=eq(n\\,0)+lt(n\\,11),tpad=start=1:start_mode=clone,setpts=N/10/TB',
    says: pictures,
  },
  'without one frame': { filter: 'select=not(eq(n\\,5)),setpts=N/10/TB', says: 'it has 11 frames, not 12' },
}

/** A config whose plugin damages the finished file before it is checked. */
const damaging = (words: {
  readonly ffmpeg: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}) => `
import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
const words = ${JSON.stringify(words)}
const damage = ({ artifact: { path } }) => {
  const end = path.slice(path.lastIndexOf('.'))
  execFileSync(words.ffmpeg, ['-v', 'error', ...words.before, '-i', path, ...words.after, '-y', path + end])
  renameSync(path + end, path)
}
const setup = (hooks) => hooks.verify.tap('damage', damage)
export default { plugins: [{ role: 'plugin', name: 'damage', apiVersion: 1, options: {}, setup }] }
`

const MOVING = `<!doctype html><html><body style="margin:0;background:transparent">
<style>@keyframes m{from{translate:0}to{translate:240px}}.m{animation:m 1.2s linear both}</style>
<div data-composition-id="main" data-width="400" data-height="240" data-duration="1.2" style="position:relative;overflow:hidden;width:400px;height:240px;background:#2a3">
<div class="m" style="position:absolute;left:20px;top:40px;width:100px;height:100px;background:#d22"></div>
<p style="position:absolute;left:10px;bottom:0;font:bold 40px sans-serif;color:#fff">A title</p></div></body></html>`

const cases = Object.keys(formats).flatMap((format) => Object.keys(faults).map((fault) => [format, fault] as const))

test.each(partOf(cases, 3))('a %s that is %s is refused', async (format, fault) => {
  const { filter, says } = faults[fault] as (typeof faults)[string]
  const { decoder = [], encoder } = formats[format] as (typeof formats)[string]
  const projectDir = await project(MOVING)
  const { ffmpeg } = await findFfmpeg()
  const after = ['-vf', filter, ...encoder, '-vsync', '0']
  await writeFile(join(projectDir, 'vid.config.mjs'), damaging({ ffmpeg, before: decoder, after }))
  const output = join(projectDir, `film.${format}`)
  await expect(render({ projectDir, format, fps: 10, output })).rejects.toMatchObject({
    code: 'VID_OUTPUT_WRONG',
    message: expect.stringMatching(says),
  })
})
