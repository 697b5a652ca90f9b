// Encodes the same frames with every codec and --quality, and prints size, likeness and processor time: npm run lab -- codecs.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { codecs, encodableCodecs, findFfmpeg, mp4SegmentArgs, mp4SettingsOf, probeMedia } from '@vid/ffmpeg'
import { checkRequest } from '@vid/protocol'
import { createRenderer } from '@vid/render'
import { path } from '../scripts/workspaces.mjs'

/** Flat graphics, a page of an app, moving letters, and motion all over the picture. */
const COMPOSITIONS = [
  'examples/data-chart',
  'examples/product-teaser',
  'examples/kinetic-type',
  'bench/compositions/full-motion',
]

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '1s' },
    to: { type: 'string', default: '3s' },
    quality: { type: 'string', default: 'draft,standard,high' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(
    'npm run lab -- codecs [--from 1s] [--to 3s] [--quality draft,standard,high] [COMPOSITION …]\n\nSSIM is ffmpeg’s over luma and chroma, against the frames that the encoder got. AV1 needs an ffmpeg with libsvtav1.',
  )
  process.exit()
}

const run = promisify(execFile)
const { signal } = new AbortController()
const tools = await findFfmpeg({ signal })
const able = await encodableCodecs(tools, signal)
const work = mkdtempSync(join(tmpdir(), 'vid-codecs-'))

/** Runs ffmpeg; returns what it printed, and the seconds of processors that it took. */
const ffmpeg = async (args) => {
  const { stderr } = await run(tools.ffmpeg, ['-hide_banner', '-nostats', '-benchmark', '-y', ...args])
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr)
  return { stderr, seconds: Number(user) + Number(system) }
}

/** Encodes the frames of a file with the options of a plan. */
const measure = async (source, codec, quality) => {
  const [{ width, height }] = (await probeMedia(source, { signal })).video
  const settings = mp4SettingsOf(checkRequest({ projectDir: work, output: work, codec, quality }), 4)
  const output = join(work, `${codec}.mp4`)
  const { seconds: decoding } = await ffmpeg(['-i', source, '-an', '-f', 'null', '-'])
  const options = mp4SegmentArgs('yuv420p', settings, { width, height, fps: 30 })
  const { seconds } = await ffmpeg(['-i', source, '-an', ...options, output])
  const { stderr } = await ffmpeg(['-i', output, '-i', source, '-lavfi', 'ssim', '-f', 'null', '-'])
  const ssim = Number(/SSIM .*All:([\d.]+)/.exec(stderr)[1])
  return { settings, ssim, seconds: Math.max(0, seconds - decoding), bytes: statSync(output).size }
}

const renderer = await createRenderer({ cwd: path('.'), configFrom: 'cwd' })
try {
  console.log(`${tools.ffmpeg} ${tools.version}: ${able.map((codec) => codecs[codec].title).join(', ')}\n`)
  console.log('| Composition | Quality | Codec | Preset, CRF | kB | SSIM | CPU s |')
  console.log('| --- | --- | --- | --- | ---: | ---: | ---: |')
  for (const composition of positionals.length > 0 ? positionals : COMPOSITIONS) {
    const source = join(work, `${basename(composition)}.mp4`)
    const { from, to } = flags
    await renderer.render({ projectDir: path(composition), output: source, crf: 0, from, to })
    for (const quality of flags.quality.split(','))
      for (const codec of able) {
        const { settings, ssim, seconds, bytes } = await measure(source, codec, quality)
        const cells = [basename(composition), quality, codec, `${settings.preset}, ${settings.crf}`]
        console.log(`| ${[...cells, (bytes / 1000).toFixed(0), ssim.toFixed(5), seconds.toFixed(1)].join(' | ')} |`)
      }
  }
} finally {
  await renderer.close()
  rmSync(work, { recursive: true, force: true })
}
