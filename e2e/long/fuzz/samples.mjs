// The real files that inputs are made from: media by ffmpeg, compositions of this repository.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '@vid/ffmpeg'
import { path } from '../../../scripts/workspaces.mjs'

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=s=64x36:r=10:d=1']
const TONE = ['-f', 'lavfi', '-i', 'sine=440:d=1']
const ONE = ['-frames:v', '1']

/** Options of ffmpeg by file name. */
const MEDIA = {
  'h264.mp4': [...PICTURE, ...TONE, '-c:v', 'libx264', '-g', '5', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  'prores.mov': [...PICTURE, '-c:v', 'prores_ks', '-profile:v', '0'],
  'vp9.webm': [...PICTURE, ...TONE, '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus'],
  'alpha.webm': [...PICTURE, '-c:v', 'libvpx', '-pix_fmt', 'yuva420p', '-auto-alt-ref', '0'],
  'stream.ts': [...PICTURE, ...TONE, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  'film.mkv': [...PICTURE, ...TONE, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'flac'],
  'old.avi': [...PICTURE, '-c:v', 'mpeg4'],
  'tone.mp3': [...TONE, '-c:a', 'libmp3lame'],
  'tone.wav': [...TONE, '-c:a', 'pcm_s16le'],
  'tone.ogg': [...TONE, '-c:a', 'libvorbis'],
  'tone.flac': [...TONE, '-c:a', 'flac'],
  'tone.m4a': [...TONE, '-c:a', 'aac'],
  'loop.gif': [...PICTURE],
  'loop.png': [...PICTURE, '-f', 'apng', '-plays', '0'],
  'loop.webp': [...PICTURE, '-c:v', 'libwebp_anim'],
  'still.png': [...PICTURE, ...ONE],
  'still.jpg': [...PICTURE, ...ONE],
  'still.webp': [...PICTURE, ...ONE, '-c:v', 'libwebp'],
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="36" viewBox="0 0 64 36">
<defs><linearGradient id="g"><stop offset="0" stop-color="#d03020"/><stop offset="1" stop-color="#3050d0"/></linearGradient></defs>
<rect width="64" height="36" fill="url(#g)"/><circle cx="20" cy="18" r="9"><animate attributeName="r" from="2" to="16" dur="1s"/></circle>
<text x="4" y="30" font-size="8">vid</text></svg>`

/** Small real media files, as bytes by name; made once in a folder. */
export const makeMedia = async (folder) => {
  await mkdir(folder, { recursive: true })
  const { ffmpeg } = await findFfmpeg()
  const entries = Object.entries(MEDIA).map(async ([name, options]) => {
    await promisify(execFile)(ffmpeg, ['-v', 'error', '-bitexact', ...options, '-y', join(folder, name)])
    return [name, await readFile(join(folder, name))]
  })
  return Object.fromEntries([...(await Promise.all(entries)), ['still.svg', Buffer.from(SVG)]])
}

/** Files of a folder below it; those of 200 kB and more make copying slow, and configs are never loaded. */
const filesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, name))
      .filter((file) => !/node_modules|vid\.config|\.ts$/.test(file))
      .filter((file) => statSync(file).isFile() && statSync(file).size < 200_000)
      .map((file) => [relative(folder, file), readFileSync(file)]),
  )

const projectsIn = (folder) =>
  readdirSync(path(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, files: filesOf(path(`${folder}/${name}`)) }))
    .filter(({ files }) => Object.keys(files).some((file) => file.endsWith('.html')))

/** Compositions in the text of a page of docs/. */
const documented = (page) =>
  [...readFileSync(path(`docs/${page}`), 'utf8').matchAll(/^```html\n(.*?)^```/gms)].map(([, text], index) => ({
    name: `${page} ${index + 1}`,
    files: { 'index.html': Buffer.from(text) },
  }))

/** Projects to mutate: those of e2e/, examples/ and the text of docs/. */
export const readProjects = () => [
  ...projectsIn('e2e/projects'),
  ...projectsIn('examples'),
  ...readdirSync(path('docs'))
    .filter((name) => name.endsWith('.md'))
    .flatMap(documented),
]

/** Makes the folders of a file. */
export const makeParent = (file) => mkdir(dirname(file), { recursive: true })
