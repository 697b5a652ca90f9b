// The gallery: every composition of the examples, of the end-to-end tests and of the measurements, rendered on both sides.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { createJiti } from 'jiti'
import { makeFootage } from '../../../../../bench/measure/footage.mjs'
import { path } from '../../../../../scripts/workspaces.mjs'
import { digestOf, must, vid } from './vid.mjs'

/** Renders the same on both sides, and compares every file; resolves to what was made. */
export const compare = async ({ env, work }, project, name, ...flags) => {
  const paths = ['container', 'local'].map((side) => join(work, 'out', side, name))
  const [inside, here] = paths
  for (const [output, ...more] of [
    [inside, '--docker'],
    [here, '--no-cache', '--raster', 'portable'],
  ]) {
    const words = ['render', project, '-o', output, '--force', '--quality', 'draft', ...flags, ...more]
    const { code, stderr } = await vid(env, path(''), ...words)
    must(code === 0, `${output}: exit ${code}: ${stderr.slice(-400)}`)
  }
  const digest = digestOf(inside)
  must(digest === digestOf(here), `${project} ${name}: the bytes differ`)
  return `sha256 ${digest.slice(0, 16)}, ${statSync(inside).size} bytes`
}

const support = async (name) => createJiti(import.meta.url).import(path(`e2e/support/${name}.ts`))

const tones = async (folder, ...names) => {
  const { ffmpeg } = await findFfmpeg()
  for (const [index, name] of names.entries()) {
    const tone = ['-f', 'lavfi', '-i', `sine=frequency=${330 * (index + 1)}:duration=3`]
    const picture = ['-f', 'lavfi', '-i', `testsrc=size=160x90:rate=30:duration=3`]
    const words = [...(name.endsWith('.webm') ? picture : []), ...tone, join(folder, name)]
    await runProcess(ffmpeg, ['-nostdin', '-v', 'error', ...words])
  }
}

/** Projects whose files are made first, in a copy. */
const MADE = {
  'broken-sound': async (folder) => {
    writeFileSync(join(folder, 'broken.mp3'), 'no sound')
    await tones(folder, 'low.wav')
  },
  hdr: async (folder) => (await support('luminance')).writeSource(join(folder, 'source.mp4'), 'pq'),
  'late-host-sound': (folder) => tones(folder, 'low.wav', 'middle.wav', 'high.wav'),
  libraries: async (folder) => {
    const { zip } = await support('zip')
    const manifest = JSON.stringify({ version: '1.0', animations: [{ id: 'slide' }] })
    const animation = readFileSync(join(folder, 'slide.json'), 'utf8')
    writeFileSync(join(folder, 'slide.lottie'), zip({ 'manifest.json': manifest, 'animations/slide.json': animation }))
  },
  media: async (folder) => {
    mkdirSync(join(folder, 'sources'))
    const names = ['h264.mp4', 'hevc.mp4', 'prores.mov', 'alpha.webm', 'vfr.mp4']
    await (await support('sources')).makeSources(join(folder, 'sources'), names)
  },
  'scripted-mute': (folder) => tones(folder, 'low.wav', 'middle.wav', 'high.wav'),
  'talking-video': (folder) => tones(folder, 'low.webm', 'high.webm'),
}

/** Left out, with why. */
const LEFT_OUT = {
  'e2e/projects/author': 'its encoder is compiled by its own test',
}

/** Pages that no render accepts, with the code of their error. */
const REFUSED = { 'e2e/projects/nested-faults': 'VID_SCRIPT_FAILED' }

/** Renders a page on both sides that neither accepts. */
const refuse = async ({ env, work }, project, code) => {
  for (const flag of ['--docker', '--no-cache']) {
    const output = join(work, 'out', `refused${flag}.mp4`)
    const ended = await vid(env, path(''), 'render', project, '-o', output, flag)
    must(ended.code === 1 && ended.stderr.includes(code), `${flag}: exit ${ended.code}: ${ended.stderr.slice(-400)}`)
    must(!existsSync(output), `${output} exists`)
  }
  return `refused with ${code}`
}

const projects = ['examples', 'e2e/projects', 'bench/compositions'].flatMap((folder) =>
  readdirSync(path(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`),
)

/** The compositions of a project: its index.html, or each page where it has none. */
const pagesOf = (project) => {
  const names = readdirSync(path(project)).filter(
    (name) =>
      name.endsWith('.html') && readFileSync(path(`${project}/${name}`), 'utf8').includes('data-composition-id'),
  )
  return names.includes('index.html') && !project.endsWith('/hdr') ? ['index.html'] : names
}

const prepared = new Map()

/** Whether a page of a project loads GSAP, which comes from the project and not with the image. */
const loadsGsap = (project) =>
  readdirSync(path(project), { recursive: true }).some(
    (name) => name.endsWith('.html') && /\/gsap@[^"']*\.js/.test(readFileSync(path(`${project}/${name}`), 'utf8')),
  )

/** The folder of a project with all of its files: itself, or a copy. */
const prepare = async ({ work }, project) => {
  const name = project.split('/').at(-1)
  if (name.startsWith('footage')) await makeFootage()
  const make = project.startsWith('bench') ? undefined : MADE[name]
  const hasGsap = loadsGsap(project)
  if (!make && !hasGsap) return path(project)
  const folder = join(work, 'gallery', project.replaceAll('/', '-'))
  cpSync(path(project), folder, { recursive: true })
  const modules = join(work, 'gallery/node_modules')
  if (!existsSync(modules)) symlinkSync(path('node_modules'), modules)
  if (hasGsap) cpSync(path('node_modules/gsap'), join(folder, 'node_modules/gsap'), { recursive: true })
  await make?.(folder)
  return folder
}

export const gallery = Object.fromEntries(
  projects
    .filter((project) => LEFT_OUT[project] === undefined)
    .flatMap((project) =>
      pagesOf(project).map((entry) => [
        `gallery ${project} ${entry} ends the same in a container and here`,
        async (places) => {
          if (!prepared.has(project)) prepared.set(project, prepare(places, project))
          const folder = await prepared.get(project)
          if (REFUSED[project] !== undefined) return refuse(places, folder, REFUSED[project])
          return compare(places, folder, `${project.split('/').at(-1)}-${entry}.mp4`, '-c', entry)
        },
      ]),
    ),
)
