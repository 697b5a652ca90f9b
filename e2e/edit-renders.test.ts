import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diffFilms } from '@vid/compare'
import { readClipTree, readEntryText } from '@vid/core'
import { type ClipFacts, type EditSession, openEdit } from '@vid/edit'
import { type EditReceipt, isVidError } from '@vid/kernel'
import { createRenderer, type Renderer } from '@vid/render'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EditTrial, offsetsOf, outside, spansOf, type TrialMedia, trialsOf } from './support/edit-trials.ts'
import { copyOf } from './support/gallery.ts'
import { withKeptFilm } from './support/kept-film.ts'
import { makeSources } from './support/sources.ts'
import { here, scratch } from './support/vid.ts'

/** Frames per second and pixels of the longer side: what an operation must not touch differs in small pictures too. */
const PICTURE = { fps: 10, side: 128 }

/** All compositions, and every operation on each kind of clip in place of one, with `npm run lab -- edit-renders`. */
const isAll = process.env.VID_EDIT_RENDERS === 'all'

/** One with clips in each other, which start after others. */
const FEW: readonly string[] = ['projects/windows']

const signal = AbortSignal.timeout(6 * 3_600_000)
let renderer: Renderer
let media: TrialMedia
let folder: string

beforeAll(async () => {
  renderer = await createRenderer({ idle: { browsers: 1, ms: 60_000 } })
  folder = await mkdtemp(join(tmpdir(), 'vid-e2e-edit-'))
  await makeSources(folder, ['h264.mp4'])
  await writeFile(
    join(folder, 'dot.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="red"/></svg>',
  )
  media = { video: join(folder, 'h264.mp4'), picture: join(folder, 'dot.svg') }
})
afterAll(async () => {
  if (isAll) console.info(tableOf(results))
  await renderer?.close()
  await rm(folder, { recursive: true, force: true })
})

const galleries = await Promise.all(
  ['projects', '../examples'].map(async (gallery) =>
    (await readdir(here(gallery)))
      .map((name) => `${gallery}/${name}`)
      .filter((name) => existsSync(here(join(name, 'index.html')))),
  ),
)

/** Two copies of a composition, of which the second one is edited. */
const copiesOf = async (composition: string): Promise<readonly [before: string, after: string]> => {
  const [gallery = '', name = ''] = composition.split(/\/(?=[^/]*$)/)
  const before = gallery === 'projects' ? await copyOf(name, 'export default {}\n') : join(await scratch(), 'project')
  if (gallery !== 'projects') {
    await cp(here(composition), before, { recursive: true })
    await symlink(here('../node_modules'), join(before, 'node_modules'))
  }
  const after = join(await scratch(), 'project')
  await cp(before, after, { recursive: true, verbatimSymlinks: true })
  // Another file that may be drawn from leaves nothing to be proven equal by the text: every frame is compared.
  await writeFile(join(after, 'other.bin'), '')
  return [before, after]
}

/** The first clips of each kind of element: media of each kind, hosts of compositions, and other elements. */
const chosen = (clips: readonly ClipFacts[]): readonly ClipFacts[] => {
  const kinds = new Map<string, ClipFacts>()
  for (const clip of clips) {
    const [tag = ''] = /^<[\w-]+/.exec(clip.element) ?? []
    const kind = `${/^<(?:video|audio|img)$/.test(tag) ? tag : ''} ${clip.address.file} ${clip.element.includes('composition')}`
    if (!kinds.has(kind)) kinds.set(kind, clip)
  }
  return [...kinds.values()]
}

/** Whether an element is placed apart from its siblings: what stands directly in a composition is. */
const isPlaced = async (edit: EditSession, { address }: ClipFacts): Promise<boolean> => {
  const { styles } = await edit.inspect(address)
  if (styles.some(({ property, value }) => property === 'position' && /absolute|fixed/.test(value))) return true
  const parent = address.path.slice(0, address.path.lastIndexOf('/'))
  return 'data-composition-id' in (await edit.inspect({ ...address, path: parent })).attributes
}

const diffOf = async (films: Pick<Renderer, 'withFilm'>, [before, after]: readonly [string, string]) =>
  diffFilms(
    films,
    {
      sides: [
        { kind: 'composition', label: 'before', projectDir: before },
        { kind: 'composition', label: 'after', projectDir: after },
      ],
      film: PICTURE,
      width: 320,
      exitCode: false,
      scratch: folder,
      env: process.env,
    },
    { signal },
  )

/** What an operation was tried on, and what became of it. */
interface TrialResult {
  readonly composition: string
  readonly op: string
  readonly outcome: string
}

const results: TrialResult[] = []

/** A row for each operation: how often it changed what it may change, changed nothing, and was refused. */
const tableOf = (trials: readonly TrialResult[]): string => {
  const columns = ['differs where it may', 'equal', 'no change', 'stops a script', 'refused']
  const rows = [...new Set(trials.map(({ op }) => op))].map((op) => {
    const counts = columns.map(
      (column) => trials.filter((trial) => trial.op === op && trial.outcome.startsWith(column)).length,
    )
    return `| \`${op}\` | ${counts.join(' | ')} |`
  })
  const compositions = new Set(trials.map(({ composition }) => composition)).size
  return [`${compositions} compositions`, `| op | ${columns.join(' | ')} |`, ...rows].join('\n')
}

/** Whether a script of a page failed that a receipt names; its lines are those before the edit. */
const isForetold = (thrown: unknown, { notes }: EditReceipt): boolean =>
  isVidError(thrown) &&
  thrown.code === 'VID_SCRIPT_FAILED' &&
  notes.some(({ kind, file }) => kind === 'script' && thrown.message.includes(`(${file}:`))

/** Makes an operation and takes it back; the film differs only where it may in between. */
const tryOperation = async (
  films: Pick<Renderer, 'withFilm'>,
  copies: readonly [string, string],
  edit: EditSession,
  clip: ClipFacts,
  trial: EditTrial,
): Promise<string> => {
  const [, after] = copies
  const placed = await isPlaced(edit, clip)
  const treeOf = async () => readClipTree(after, await readEntryText(after, 'index.html'))
  const offsets = offsetsOf(await treeOf(), await edit.clips())
  try {
    const receipt = await edit.stage([trial.operation], { who: { kind: 'person', name: 'test' } })
    if (receipt.files.length === 0) return 'no change'
    await edit.write()
    try {
      const spans = spansOf(trial, clip, placed, receipt, offsets)
      const quick = await diffOf(films, copies)
      // Screenshots of small pictures are not always equal: the lane of vid diff decides, and names elements.
      const diff = outside(quick, spans).length > 0 ? await diffOf(renderer, copies) : quick
      const problems = outside(diff, spans)
      expect(problems, `${JSON.stringify(trial.operation)}\n${JSON.stringify(receipt, null, 1)}`).toEqual([])
      return diff.differing > 0 || diff.sound.length > 0 ? 'differs where it may' : 'equal'
    } catch (thrown) {
      if (!isForetold(thrown, receipt)) throw thrown
      return 'stops a script'
    } finally {
      await edit.undo({ kind: 'person', name: 'test' })
    }
  } catch (thrown) {
    if (isVidError(thrown) && thrown.code.startsWith('VID_EDIT_')) return `refused: ${thrown.code}`
    throw thrown
  }
}

test.each(isAll ? galleries.flat() : FEW)(
  'every operation on %s changes frames only while what it is about is shown, or is refused',
  { timeout: 3_600_000 },
  async (composition) => {
    const copies = await copiesOf(composition)
    const edit = await openEdit(copies[1])
    const problems: unknown[] = []
    await withKeptFilm(renderer, { projectDir: copies[0], ...PICTURE }, signal, async (films) => {
      const clips = chosen(await edit.clips())
      for (const [index, clip] of clips.entries())
        for (const [number, trial] of trialsOf(clip, media).entries()) {
          if (!isAll && number % clips.length !== index) continue
          const trying = tryOperation(films, copies, edit, clip, trial)
          // The trials after a wrong one say more than a stop.
          const outcome = await trying.catch((thrown: unknown) => {
            problems.push(thrown)
            return 'wrong'
          })
          results.push({ composition, op: trial.operation.op, outcome })
        }
    })
    const size = await edit.preview([{ op: 'size', width: 64, height: 64 }])
    expect(size.receipt.files.length).toBeGreaterThan(0)
    const outcomes = results.filter((result) => result.composition === composition)
    console.info(composition, outcomes.map(({ op, outcome }) => `${op} ${outcome}`).join(', '))
    expect(problems).toEqual([])
  },
)
