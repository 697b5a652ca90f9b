import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { makeSources } from './sources.ts'
import { here, scratch } from './vid.ts'
import { zip } from './zip.ts'

/** A copy of a project with another config, and the files that are made for it. */
export const copyOf = async (project: string, config: string): Promise<string> => {
  const folder = join(await scratch(), 'project')
  // Files that the tests of a project make in it may change meanwhile.
  const filter = (path: string) => !['renders', 'sources'].includes(basename(path))
  await cp(here(`projects/${project}`), folder, { recursive: true, filter })
  for (const name of ['vid.config.mjs', 'vid.config.json']) await rm(join(folder, name), { force: true })
  await writeFile(join(folder, 'vid.config.mjs'), config)
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  if (project === 'media') {
    await mkdir(join(folder, 'sources'), { recursive: true })
    await makeSources(join(folder, 'sources'), ['h264.mp4', 'hevc.mp4', 'prores.mov', 'alpha.webm', 'vfr.mp4'])
  }
  if (project === 'libraries') {
    const manifest = JSON.stringify({ version: '1.0', animations: [{ id: 'slide' }] })
    const animation = await readFile(join(folder, 'slide.json'), 'utf8')
    const packed = zip({ 'manifest.json': manifest, 'animations/slide.json': animation })
    await writeFile(join(folder, 'slide.lottie'), packed)
  }
  return folder
}

/** Projects of this folder whose pictures are compared, with their entries. */
export const GALLERY: readonly (readonly [project: string, entries: readonly string[]])[] = [
  ['body-as-root', ['index']],
  ['clockwork', ['index']],
  ['frame-number', ['index']],
  ['glass', ['index']],
  ['grading', ['index']],
  ['media', ['index']],
  ['nested-depth', ['index']],
  ['nested-parts', ['index']],
  ['placed-canvas', ['index']],
  ['postcard', ['index']],
  ['same-names', ['index']],
  ['seeked', ['index']],
  ['six-scenes', ['index']],
  ['stateful', ['index']],
  ['static-noise', ['index']],
  ['variables', ['index']],
  ['windows', ['index']],
  ['libraries', ['anime', 'lottie', 'dotlottie', 'three', 'd3', 'gsap-module', 'canvas', 'iframe', 'adapter', 'cube']],
]
