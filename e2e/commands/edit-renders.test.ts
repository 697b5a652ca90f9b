import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diffSides } from '@vid/analysis'
import { readClipTree, readEntryText } from '@vid/core'
import { lintComposition } from '@vid/core/lint'
import { type ClipFacts, type EditSession, openEdit } from '@vid/edit'
import type { EditReceipt } from '@vid/edit/events'
import { isVidError } from '@vid/protocol'
import { createRenderer, type Renderer } from '@vid/render'
import { toneFile } from '@vid/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EditTrial, offsetsOf, outside, spansOf, type TrialMedia, trialsOf } from '../support/edit-trials.ts'
import { copyOf } from '../support/gallery.ts'
import { withOpenComposition } from '../support/kept-composition.ts'
import { makeSources } from '../support/sources.ts'
import { here, scratch } from '../support/vid.ts'

/** Frames per second and pixels of the longer side: what an operation must not touch differs in small pictures too. */
const PICTURE = { fps: 10, side: 128 }

/** Projects that no render accepts, since their scripts fail. */
const UNRENDERED: ReadonlySet<string> = new Set(['nested-faults'])

/**
 * With `npm run lab -- edit-renders`, the file of results: all compositions are tried, with every operation on each kind of
 * clip in place of one.
 */
const resultsFile = process.env.VID_EDIT_RENDERS
const isAll = resultsFile !== undefined

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
  const { file: sound } = await toneFile(folder, { seconds: 1, onset: 0 })
  media = { video: join(folder, 'h264.mp4'), audio: sound, img: join(folder, 'dot.svg') }
})
afterAll(async () => {
  await renderer?.close()
  await rm(folder, { recursive: true, force: true })
})

const galleries = await Promise.all(
  ['projects', '../examples'].map(async (gallery) =>
    (await readdir(here(gallery)))
      .filter((name) => !UNRENDERED.has(name))
      .map((name) => `${gallery}/${name}`)
      .filter((name) => existsSync(here(join(name, 'index.html')))),
  ),
)

/** Two copies of a composition, of which the second one is edited, and how both are drawn. */
interface Copies {
  readonly before: string
  readonly after: string
  readonly composition: { readonly fps: number; readonly side?: number; readonly strict: boolean }
}

/** Makes the sounds that a project lacks, and returns whether it can be rendered strictly then. */
const completeProject = async (folder: string): Promise<boolean> => {
  for (const { message } of await lintComposition(folder, 'index.html')) {
    const [, name] = /refers to the file "([^"]+\.wav)", which does not exist/.exec(message) ?? []
    if (name !== undefined) await toneFile(folder, { seconds: 3, onset: 0, name })
  }
  return (await lintComposition(folder, 'index.html')).every(({ severity }) => severity !== 'error')
}

const makeCopies = async (composition: string): Promise<Copies> => {
  const [gallery = '', name = ''] = composition.split(/\/(?=[^/]*$)/)
  const before = gallery === 'projects' ? await copyOf(name, 'export default {}\n') : join(await scratch(), 'project')
  if (gallery !== 'projects') {
    await cp(here(composition), before, { recursive: true })
    await symlink(here('../node_modules'), join(before, 'node_modules'))
  }
  const isComplete = await completeProject(before)
  const after = join(await scratch(), 'project')
  await cp(before, after, { recursive: true, verbatimSymlinks: true })
  // Another file that may be drawn from leaves nothing to be proven equal by the text: every frame is compared.
  await writeFile(join(after, 'other.bin'), '')
  return { before, after, composition: { ...PICTURE, strict: isComplete } }
}

/** The first clips of each kind of element in each file: media of each kind, hosts of compositions, and other elements. */
const firstClips = async (edit: EditSession): Promise<readonly ClipFacts[]> => {
  const kinds = new Map<string, ClipFacts>()
  for (const clip of await edit.clips()) {
    const { tag, attributes } = await edit.inspect(clip.address)
    const isHost = 'data-composition-src' in attributes || 'data-composition-id' in attributes
    const kind = `${/^(?:video|audio|img)$/.test(tag) ? tag : ''} ${clip.address.file} ${isHost}`
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

const diffOf = async (opened: Pick<Renderer, 'withComposition'>, { before, after, composition }: Copies) =>
  diffSides(
    opened,
    {
      sides: [
        { kind: 'composition', label: 'before', projectDir: before },
        { kind: 'composition', label: 'after', projectDir: after },
      ],
      composition,
      width: 320,
      exitCode: false,
      scratch: folder,
      env: process.env,
    },
    { signal },
  )

/** An operation that was tried on a composition, and what became of it. */
interface TrialResult {
  readonly op: string
  readonly outcome: string
}

/** Keeps the results of a composition in place of those of earlier runs. */
const keepResults = async (file: string, composition: string, results: readonly TrialResult[]): Promise<void> => {
  const earlier: unknown = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}
  await writeFile(file, JSON.stringify({ ...(earlier as object), [composition]: results }))
}

/** Whether a receipt names what failed then: a script by its line before the edit, or a length that nothing states. */
const isForetold = (thrown: unknown, { notes }: EditReceipt): boolean =>
  isVidError(thrown) &&
  notes.some(({ kind, file, text }) =>
    kind === 'script'
      ? thrown.code === 'VID_SCRIPT_FAILED' && thrown.message.includes(`(${file}:`)
      : thrown.code === 'VID_COMPOSITION_BAD_DURATION' && text.includes('has no data-duration'),
  )

/** Makes an operation and takes it back; the composition differs only where it may in between. */
const tryOperation = async (
  opened: Pick<Renderer, 'withComposition'>,
  copies: Copies,
  edit: EditSession,
  clip: ClipFacts,
  trial: EditTrial,
): Promise<string> => {
  const { after } = copies
  const placed = await isPlaced(edit, clip)
  const treeOf = async () => readClipTree(after, await readEntryText(after, 'index.html'))
  const offsets = offsetsOf(await treeOf(), await edit.clips())
  try {
    const receipt = await edit.stage([trial.operation], { who: { kind: 'person', name: 'test' } })
    if (receipt.files.length === 0) return 'no change'
    await edit.write()
    try {
      const spans = spansOf(trial, clip, placed, receipt, offsets)
      const quick = await diffOf(opened, copies)
      // Screenshots at scales below 0.5 are not always equal: pictures of full size decide, and name elements.
      const isRight = outside(quick, spans).length === 0
      const { fps, strict } = copies.composition
      const diff = isRight ? quick : await diffOf(renderer, { ...copies, composition: { fps, strict } })
      const problems = outside(diff, spans)
      expect(problems, `${JSON.stringify(trial.operation)}\n${JSON.stringify(receipt, null, 1)}`).toEqual([])
      return diff.differing > 0 || diff.sound.length > 0 ? 'differs where it may' : 'equal'
    } catch (thrown) {
      if (!isForetold(thrown, receipt)) throw thrown
      return 'fails as noted'
    } finally {
      await edit.undo({ kind: 'person', name: 'test' })
    }
  } catch (thrown) {
    if (isVidError(thrown) && thrown.code.startsWith('VID_EDIT_')) return thrown.code
    throw thrown
  }
}

test.each(isAll ? galleries.flat() : FEW)(
  'every operation on %s changes frames only while what it is about is shown, or is refused',
  { timeout: 3_600_000 },
  async (composition) => {
    const copies = await makeCopies(composition)
    const edit = await openEdit(copies.after)
    const problems: unknown[] = []
    const results: TrialResult[] = []
    await withOpenComposition(
      renderer,
      { projectDir: copies.before, ...copies.composition },
      signal,
      async (opened) => {
        const clips = await firstClips(edit)
        for (const [index, clip] of clips.entries())
          for (const [number, trial] of trialsOf(clip, media).entries()) {
            if (!isAll && number % clips.length !== index) continue
            const trying = tryOperation(opened, copies, edit, clip, trial)
            // The trials after a wrong one say more than a stop.
            const outcome = await trying.catch((thrown: unknown) => {
              problems.push(thrown)
              return 'wrong'
            })
            results.push({ op: trial.operation.op, outcome })
          }
      },
    )
    if (isAll) await keepResults(resultsFile, composition, results)
    const size = await edit.preview([{ op: 'size', width: 64, height: 64 }])
    expect(size.receipt.files.length).toBeGreaterThan(0)
    expect(problems).toEqual([])
  },
)
