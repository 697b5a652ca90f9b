// The pictures, videos and sounds of the corpus, made from what their names say.
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { path } from '../../../../../scripts/workspaces.mjs'
import { toWav } from '../../../../engine/cli/lab/example-media/wav.mjs'

const RATE = 48_000
const sourceOf = (look, size, seconds) =>
  ({
    photo: `testsrc2=size=${size}:rate=30:duration=${seconds}`,
    film: `testsrc2=size=${size}:rate=30:duration=${seconds}`,
    night: `testsrc2=size=${size}:rate=30:duration=${seconds},lutyuv=y=16+val*0.12:u=128+(val-128)*0.2:v=128+(val-128)*0.2`,
    snow: `testsrc2=size=${size}:rate=30:duration=${seconds},lutyuv=y=205+val*0.12:u=128+(val-128)*0.1:v=128+(val-128)*0.1`,
  })[look]

const still = (look, size) => ['-f', 'lavfi', '-i', sourceOf(look, size, 1), '-frames:v', '1']
const H264 = ['-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p', '-an']
const moving = (source) => ['-f', 'lavfi', '-i', source, ...H264]

/** A tone of both channels, which fades in and out within 50 ms unless it is cut. */
const toneOf = (hertz, peakDb, seconds) => {
  const peak = 10 ** (peakDb / 20)
  const fade = (time) => Math.min(1, time / 0.05, (seconds - time) / 0.05)
  const samples = Float32Array.from({ length: Math.round(seconds * RATE) }, (_, sample) => {
    const time = sample / RATE
    return peak * fade(time) * Math.sin(2 * Math.PI * hertz * time)
  })
  return toWav([samples], RATE)
}

/** The kinds: a pattern of names, and what makes such a file: bytes, arguments of ffmpeg, or a file to copy. */
const KINDS = [
  [/^(photo|night|snow)-(\d+x\d+)\.png$/, (look, size) => ({ args: still(look, size) })],
  [
    /^(film|night|snow)-(\d+x\d+)-([\d.]+)s\.mp4$/,
    (look, size, seconds) => ({ args: moving(sourceOf(look, size, seconds)) }),
  ],
  // Dark until the second half begins, then bright.
  [
    /^night-to-snow-(\d+x\d+)-([\d.]+)s\.mp4$/,
    (size, seconds) => {
      const parts = ['night', 'snow'].map((look) => sourceOf(look, size, seconds / 2))
      const graph = `${parts[0]}[a];${parts[1]}[b];[a][b]concat=n=2`
      return { args: ['-filter_complex', graph, ...H264] }
    },
  ],
  // The picture stops at its second second.
  [
    /^stuck-(\d+x\d+)-([\d.]+)s\.mp4$/,
    (size, seconds) => ({
      args: moving(`${sourceOf('film', size, 2)},loop=loop=${Math.round((seconds - 2) * 30)}:size=1:start=59`),
    }),
  ],
  [
    /^strobe-(\d+x\d+)-(\d+)hz-([\d.]+)s\.mp4$/,
    (size, hertz, seconds) => ({
      args: moving(
        `color=white:size=${size}:rate=30:duration=${seconds},geq=lum='if(lt(mod(T*${hertz},1),0.5),235,16)':cb=128:cr=128`,
      ),
    }),
  ],
  [
    /^speaker-(\d+x\d+)-([\d.]+)s\.mp4$/,
    (size, seconds) => {
      const picture = ['-f', 'lavfi', '-i', sourceOf('film', size, seconds)]
      const codecs = ['-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k']
      return { args: [...picture, '-i', path('examples/captions/assets/talk.m4a'), ...codecs, '-t', seconds] }
    },
  ],
  [/^tone-(\d+)hz-(-?[\d.]+)db-([\d.]+)s\.wav$/, (...values) => ({ bytes: toneOf(...values.map(Number)) })],
  [/^silence-([\d.]+)s\.wav$/, (seconds) => ({ bytes: toneOf(1000, Number.NEGATIVE_INFINITY, Number(seconds)) })],
  [/^talk\.m4a$/, () => ({ copy: 'examples/captions/assets/talk.m4a' })],
  [/^music\.m4a$/, () => ({ copy: 'examples/product-teaser/assets/music.m4a' })],
  [
    /^brand\.woff2$/,
    () => ({ copy: 'node_modules/@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2' }),
  ],
]

/** What makes the file of this name; undefined for a name that is not in the list. */
export const recipeOf = (name) => {
  for (const [pattern, recipe] of KINDS) {
    const values = pattern.exec(name)
    if (values !== null) return recipe(...values.slice(1))
  }
}

const make = async (recipe, file, signal) => {
  await mkdir(dirname(file), { recursive: true })
  if (recipe.bytes) await writeFile(file, recipe.bytes)
  else if (recipe.copy) await copyFile(path(recipe.copy), file)
  else {
    const { ffmpeg } = await findFfmpeg({ signal })
    await runProcess(ffmpeg, ['-nostdin', '-v', 'error', '-y', ...recipe.args, '-map_metadata', '-1', file], signal)
  }
}

/** The file of this name in `folder`, made once; `files` keeps what is made or being made. */
export const makeMedia = (name, { folder, files }, signal) => {
  const file = join(folder, name)
  if (!files.has(file))
    files.set(
      file,
      make(recipeOf(name), file, signal).then(() => file),
    )
  return files.get(file)
}
