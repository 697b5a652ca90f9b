// Renders compositions as a whole and in ranges that begin at random frames, and compares every frame:
// npm run lab -- ranges [--ranges 3] [--seed 1] [--only examples/] [--skip-libraries].
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { frameHashes } from '@vid/ffmpeg'
import { createRenderer } from '@vid/render'
import { path } from '../../scripts/workspaces.mjs'
import { installLibraryPages } from './library-pages/install.mjs'

const { values } = parseArgs({
  options: {
    ranges: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    'skip-libraries': { type: 'boolean', default: false },
  },
})

/** Folders of this repository that hold compositions. */
const FOLDERS = ['examples', 'bench/compositions', 'e2e/projects']
const FPS = 10
/** Frames of a range. */
const LENGTH = 8
/** Longest time for one composition. */
const MAX_MS = 600_000

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32, public domain). */
const randomFrom = (seed) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const ownCompositions = () =>
  FOLDERS.flatMap((folder) =>
    readdirSync(path(folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name: `${folder}/${name}`, projectDir: join(path(folder), name) })),
  )

const libraryCompositions = async () => {
  if (values['skip-libraries']) return []
  const { folder, names } = await installLibraryPages()
  return names.map((name) => ({ name, projectDir: folder, entry: `${name}.html` }))
}

const compositions = [...ownCompositions(), ...(await libraryCompositions())].filter(({ name }) =>
  name.startsWith(values.only),
)

const random = randomFrom(Number(values.seed))
const scratch = mkdtempSync(join(tmpdir(), 'vid-ranges-'))
const renderer = await createRenderer({ isolated: true, idle: { browsers: 2, ms: 60_000 } })
let wrong = 0
let failed = 0
let frames = 0

/** Digests of the frames of a render without loss; compositions that begin in an image have alpha, which mp4 leaves out. */
const render = async ({ projectDir, entry }, range) => {
  const output = join(scratch, 'video.mp4')
  const settings = { projectDir, ...(entry && { entry }), output, fps: FPS, crf: 0, cache: false, ...range }
  await renderer.render(settings, { signal: AbortSignal.timeout(MAX_MS) })
  return frameHashes(output)
}

const compare = async (composition) => {
  const whole = await render(composition)
  const results = []
  for (let n = 0; n < Number(values.ranges); n++) {
    const from = 1 + Math.floor(random() * (whole.length - 1))
    const to = Math.min(whole.length, from + LENGTH)
    const part = await render(composition, { from: `${from / FPS}s`, to: `${to / FPS}s` })
    const unlike = part.filter((digest, index) => digest !== whole[from + index]).length
    frames += part.length
    results.push({ from, unlike: unlike + Math.abs(part.length - (to - from)) })
  }
  return results
}

try {
  for (const composition of compositions) {
    try {
      const unlike = (await compare(composition)).filter((result) => result.unlike > 0)
      wrong += unlike.length
      const words = unlike.map((result) => `from frame ${result.from} ${result.unlike} other frames`)
      console.log(`${composition.name.padEnd(40)} ${words.join(', ') || 'equal'}`)
    } catch ({ code, message }) {
      failed += 1
      console.log(`${composition.name.padEnd(40)} not rendered: ${code ?? ''} ${message.slice(0, 120)}`)
    }
  }
} finally {
  await renderer.close()
  rmSync(scratch, { recursive: true, force: true })
}
console.log(
  `\n${frames} frames of ranges in ${compositions.length} compositions; ${wrong} ranges unlike the whole, ${failed} not rendered`,
)
if (wrong > 0) process.exitCode = 1
